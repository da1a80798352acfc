import { processTree, pssOf } from './process-tree.js';

const MEMORY_SAMPLE_MS = 500;

/** The proportional set size of all processes of a product, in bytes. */
export function memoryOf(pid: number): number {
  return processTree(pid).reduce((sum, process) => sum + pssOf(process.pid), 0);
}

/** Samples the memory of all processes. @returns a function that ends it and returns the largest sum in bytes */
export function recordPeak(pid: number): () => number {
  let peak = 0;
  const sample = (): void => {
    peak = Math.max(peak, memoryOf(pid));
  };
  // A failed measurement does not end the recording, and must not keep this process alive.
  const timer = setInterval(sample, MEMORY_SAMPLE_MS).unref();
  return () => {
    clearInterval(timer);
    sample();
    return peak;
  };
}

export function megabytes(bytes: number): number {
  return Math.round(bytes / 1e6);
}
