import { availableParallelism } from 'node:os';
import { isDownloaded } from './download-model.js';
import { isRuntimeInstalled, RUNTIME_BYTES } from './install-runtime.js';

/** A local embedding model, and what it costs on this machine. */
export interface OfferedModel {
  readonly name: string;
  readonly languages: 'english' | 'multilingual';
  /** Of the model, and of the packages that run it. 0 if all are there. */
  readonly downloadBytes: number;
  /** Characters of documents that are embedded per second, estimated. */
  readonly charactersPerSecond: number;
}

/** Sizes of the files on the hub, and the speed on the machine of {@link REFERENCE}. */
const OFFERS = [
  { id: 'Xenova/all-MiniLM-L6-v2', languages: 'english', bytes: 23_700_000, charactersPerSecond: 14_000 },
  {
    id: 'Xenova/multilingual-e5-small',
    languages: 'multilingual',
    bytes: 135_400_000,
    charactersPerSecond: 7_000,
  },
] as const;
/** The machine on which the speeds were measured. */
const REFERENCE = { multiplicationsPerMs: 1_000_000, cores: 2 };

/** @param directory for local models and the packages that run them */
export async function offeredModels(directory: string): Promise<OfferedModel[]> {
  const runtimeBytes = (await isRuntimeInstalled(directory)) ? 0 : RUNTIME_BYTES;
  const speed =
    (machineSpeed() / REFERENCE.multiplicationsPerMs) * (availableParallelism() / REFERENCE.cores);
  return OFFERS.map(({ id, languages, bytes, charactersPerSecond }) => {
    const source = { kind: 'hub', id } as const;
    return {
      name: `local:${id}`,
      languages,
      downloadBytes: runtimeBytes + (isDownloaded({ source, directory }) ? 0 : bytes),
      charactersPerSecond: charactersPerSecond * speed,
    };
  });
}

let measured: number | undefined;

/** Multiplications and additions per ms in one thread, measured once in about 20 ms. */
function machineSpeed(): number {
  measured ??= measure();
  return measured;
}

function measure(): number {
  const [size, rounds] = [4_096, 5];
  const [a, b] = [new Float32Array(size).fill(1.5), new Float32Array(size).fill(0.5)];
  let best = 0;
  let sum = 0;
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    for (let pass = 0; pass < 512; pass += 1) for (let at = 0; at < size; at += 1) sum += a[at]! * b[at]!;
    best = Math.max(best, (512 * size) / (performance.now() - started));
  }
  return sum > 0 ? best : 1;
}
