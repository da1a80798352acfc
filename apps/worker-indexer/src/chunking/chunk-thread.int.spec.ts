import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { chunkDocument, DocumentBuilder, encodeDocument } from '@citewell/documents';
import { encodeDocumentTerms } from '@citewell/retrieval';
import { ChunkThread } from './chunk-thread.js';
import type { WeightedChunk } from './chunk-thread.protocol.js';

const SENTENCES = 'The committee met on the first of March. It decided nothing of consequence. ';

describe('ChunkThread', () => {
  const thread = new ChunkThread();
  afterEach(() => thread.end());

  function documentOf(paragraphs: number) {
    const builder = new DocumentBuilder().setTitle('Minutes');
    for (let n = 0; n < paragraphs; n++) {
      builder.heading(2, `Meeting ${n}`);
      builder.block('paragraph', SENTENCES.repeat(1 + (n % 3)));
    }
    return builder.build();
  }

  async function chunksOf(paragraphs: number): Promise<WeightedChunk[]> {
    const open = await thread.divide(encodeDocument(documentOf(paragraphs)));
    const chunks: WeightedChunk[] = [];
    for await (const batch of open.batches()) chunks.push(...batch);
    open.close();
    return chunks;
  }

  it('gives the same chunks as chunking without a thread', async () => {
    const expected = [...chunkDocument(documentOf(200))].map((chunk) => ({
      ...chunk,
      lexical: encodeDocumentTerms(chunk.text, chunk.header),
    }));
    assert.ok(expected.length > 128);
    assert.deepEqual(await chunksOf(200), expected);
  });

  it('keeps concurrent documents apart', async () => {
    const counts = await Promise.all([70, 1, 150].map(async (n) => (await chunksOf(n)).length));
    assert.deepEqual(counts, [70, 1, 150]);
  });

  it('can be started before the first document', async () => {
    thread.warmUp();
    thread.warmUp();
    assert.equal((await chunksOf(3)).length, 3);
    assert.equal((await chunksOf(2)).length, 2);
  });

  it('rejects an outline of another text and continues to work', async () => {
    const { outline } = encodeDocument(documentOf(3));
    await assert.rejects(thread.divide({ outline, text: Buffer.from('ab', 'utf16le') }));
    assert.equal((await chunksOf(1)).length, 1);
  });

  it('fails open documents when it ends, and starts again for the next one', async () => {
    const open = await thread.divide(encodeDocument(documentOf(200)));
    const batches = open.batches();
    await batches.next();
    await thread.end();
    await assert.rejects(batches.next(), /chunking thread ended/);
    open.close();
    assert.equal((await chunksOf(2)).length, 2);
  });
});
