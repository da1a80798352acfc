import type { BlobStore } from '@citewell/blob-store';
import { loadConfig } from '@citewell/config';
import type { BlobRepository } from '@citewell/database';
import { createLogger } from '@citewell/observability';
import { describe, expect, it } from '@jest/globals';
import { ContentReceiver } from './content-receiver.js';

const connectionRefused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

/** A receiver, and the calls that it makes to the database rows and the blob store, in order. */
function receiverWith(committed: () => Promise<Set<string>>) {
  const calls: string[] = [];
  const rows = {
    committed,
    forget: async (keys: string[]) => void calls.push(`forget ${keys.join()}`),
  };
  const store = { delete: async (keys: string[]) => void calls.push(`delete ${keys.join()}`) };
  // `discard` calls no other methods.
  const receiver = new ContentReceiver(
    store as unknown as BlobStore,
    rows as unknown as BlobRepository,
    loadConfig({}),
    createLogger('test', 'silent'),
  );
  return { receiver, calls };
}

describe('ContentReceiver.discard', () => {
  it('deletes the blob before its row', async () => {
    const { receiver, calls } = receiverWith(async () => new Set<string>());
    await receiver.discard({ key: 'k' });
    expect(calls).toEqual(['delete k', 'forget k']);
  });

  it('keeps content that a committed transaction refers to', async () => {
    const { receiver, calls } = receiverWith(async () => new Set(['k']));
    await receiver.discard({ key: 'k' });
    expect(calls).toEqual([]);
  });

  it('deletes several at once, except those that are referred to', async () => {
    const { receiver, calls } = receiverWith(async () => new Set(['k']));
    await receiver.discard({ key: 'j' }, { key: 'k' }, { key: 'l' });
    expect(calls).toEqual(['delete j,l', 'forget j,l']);
  });

  it('leaves the content to garbage collection when the database is unavailable', async () => {
    const { receiver, calls } = receiverWith(() => Promise.reject(connectionRefused));
    await receiver.discard({ key: 'k' });
    expect(calls).toEqual([]);
  });
});
