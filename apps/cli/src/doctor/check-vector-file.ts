import { type VectorStore, VectorStoreUnavailableError } from '@citewell/vector-store';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReportEntry } from './report.js';

const PAUSE_MS = 50;
const ATTEMPTS = 100;

/**
 * Reads the file of the embedded vector store.
 *
 * @param repair a damaged file is set aside by the store
 * @returns null for an intact store, and for one that is unavailable for another reason
 */
export async function checkVectorFile(
  vectorStore: VectorStore,
  repair: boolean,
): Promise<ReportEntry | null> {
  try {
    await vectorStore.check();
    return null;
  } catch (error) {
    if (!(error instanceof VectorStoreUnavailableError) || error.reason !== 'is damaged') return null;
    const entry = { name: 'vector file', message: error.message, ids: [] };
    if (!repair)
      return {
        ...entry,
        state: 'problem',
        nextStep:
          'Use --repair, or restart the service: the file is set aside, and its data are rebuilt from the documents.',
      };
    await waitUntilReplaced(vectorStore);
    return {
      ...entry,
      state: 'repaired',
      nextStep: `The damaged file is now ${vectorStore.lastDamage?.file}. The service rebuilds its data.`,
    };
  }
}

async function waitUntilReplaced(vectorStore: VectorStore): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await vectorStore.ping();
      return;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
