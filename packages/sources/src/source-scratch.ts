import { mkdir } from 'node:fs/promises';
import { newScratchPath, removeAbandonedScratch } from '@citewell/observability/child-processes';

/** Makes a folder for a program of a source. Those of processes that were killed are removed. */
export async function sourceScratch(): Promise<string> {
  await removeAbandonedScratch('source');
  const folder = newScratchPath('source');
  await mkdir(folder, { mode: 0o700 });
  return folder;
}
