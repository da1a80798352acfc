import { chunkDocument, DocumentBuilder, encodeDocument } from '@citewell/documents';
import { encodeDocumentTerms } from '@citewell/retrieval';
import { afterEach, describe, expect, it } from '@jest/globals';
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

  async function chunksOf(paragraphs: number, document = documentOf(paragraphs)): Promise<WeightedChunk[]> {
    const open = await thread.divide(encodeDocument(document));
    const chunks: WeightedChunk[] = [];
    for await (const batch of open.batches()) chunks.push(...batch);
    open.close();
    return chunks;
  }

  it('gives the same chunks as chunking without a thread', async () => {
    const expected = [...chunkDocument(documentOf(200))].map((chunk) => ({
      ...chunk,
      lexical: encodeDocumentTerms(chunk.text, chunk.header),
      isListing: false,
    }));
    expect(expected.length).toBeGreaterThan(128);
    expect(await chunksOf(200)).toEqual(expected);
  });

  it('gives the terms of a table of contents half of their weight', async () => {
    const contents = ['Numbers … 2', 'Strings … 14', 'Plots … 31', 'Lines … 32', 'Colours … 40'].join('\n');
    const [chunk] = await chunksOf(1, new DocumentBuilder().block('paragraph', contents).build());
    const { indices, values } = encodeDocumentTerms(contents);
    expect(chunk).toMatchObject({
      isListing: true,
      lexical: { indices, values: values.map((value) => value / 2) },
    });
  });

  it('keeps concurrent documents apart', async () => {
    const counts = await Promise.all([70, 1, 150].map(async (n) => (await chunksOf(n)).length));
    expect(counts).toEqual([70, 1, 150]);
  });

  it('lets the holders that wait take turns', async () => {
    const order: string[] = [];
    const open = async (holder: string): Promise<void> => {
      const document = await thread.divide(encodeDocument(documentOf(1)), { holder });
      order.push(holder);
      document.close();
    };
    await Promise.all(['a', 'a', 'a', 'a', 'a', 'b'].map(open));
    expect(order.indexOf('b')).toBeLessThan(4);
  });

  it('can be started before the first document', async () => {
    thread.warmUp();
    thread.warmUp();
    expect(await chunksOf(3)).toHaveLength(3);
    expect(await chunksOf(2)).toHaveLength(2);
  });

  it('rejects an outline of another text and continues to work', async () => {
    const { outline } = encodeDocument(documentOf(3));
    await expect(thread.divide({ outline, text: Buffer.from('ab', 'utf16le') })).rejects.toThrow();
    expect(await chunksOf(1)).toHaveLength(1);
  });

  it('fails open documents when it ends, and starts again for the next one', async () => {
    const open = await thread.divide(encodeDocument(documentOf(200)));
    const batches = open.batches();
    await batches.next();
    await thread.end();
    await expect(batches.next()).rejects.toThrow(/chunking thread ended/);
    open.close();
    expect(await chunksOf(2)).toHaveLength(2);
  });
});
