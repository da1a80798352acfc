import type { BlobStore } from '@citewell/blob-store';
import { expect, it } from '@jest/globals';
import type { FoundPassage } from './retriever.service.js';
import { ChunkReader } from './chunk-reader.service.js';

const TEXT = `${'x'.repeat(700)}Ü parse (file)\n\nParses it.`;

/** A store with one text, which is encoded like those of runs. */
const store = {
  read: async (_key: string, range: { start: number; end: number }) =>
    Buffer.from(TEXT, 'utf16le').subarray(range.start, range.end),
} as unknown as BlobStore;

// ChunkReader reads no other fields.
const passageAt = (start: number) =>
  ({ organizationId: 'o', datasourceId: 'd', runId: 'r', start }) as FoundPassage;

it('reads the text directly above a passage, up to 600 characters', async () => {
  const above = new ChunkReader(store);
  expect(await above.readAbove(passageAt(716))).toBe(TEXT.slice(116, 716));
  expect(await above.readAbove(passageAt(5))).toBe('xxxxx');
  expect(await above.readAbove(passageAt(0))).toBe('');
});

it('returns nothing if the text cannot be read', async () => {
  const read = async (): Promise<never> => {
    throw new Error('The store is down');
  };
  expect(await new ChunkReader({ read } as unknown as BlobStore).readAbove(passageAt(5))).toBe('');
});
