import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BlobStore } from '@citewell/blob-store';
import { loadConfig } from '@citewell/config';
import type { BlobRepository } from '@citewell/database';
import { createLogger } from '@citewell/observability';
import { ContentReceiver } from './content-receiver.js';

const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

/** What the receiver asks of the rows and the store, in order. */
function receiverWith(isCommitted: () => Promise<boolean>) {
  const calls: string[] = [];
  const rows = {
    isCommitted,
    forget: async (keys: string[]) => void calls.push(`forget ${keys.join()}`),
  };
  const store = { delete: async (keys: string[]) => void calls.push(`delete ${keys.join()}`) };
  // The receiver uses only what the fakes have when it takes something back.
  const receiver = new ContentReceiver(
    store as unknown as BlobStore,
    rows as unknown as BlobRepository,
    loadConfig({}),
    createLogger('test', 'silent'),
  );
  return { receiver, calls };
}

describe('taking received content back', () => {
  it('deletes the bytes before the row that tells of them', async () => {
    const { receiver, calls } = receiverWith(async () => false);
    await receiver.discard({ key: 'k' });
    assert.deepEqual(calls, ['delete k', 'forget k']);
  });

  it('leaves what was committed although its answer was lost', async () => {
    const { receiver, calls } = receiverWith(async () => true);
    await receiver.discard({ key: 'k' });
    assert.deepEqual(calls, []);
  });

  it('leaves it to the collector when the database cannot say', async () => {
    const { receiver, calls } = receiverWith(() => Promise.reject(away));
    await receiver.discard({ key: 'k' });
    assert.deepEqual(calls, []);
  });
});
