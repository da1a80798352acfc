import { Readable } from 'node:stream';
import type { DueDocument, RunEntity } from '@citewell/database';
import { type FetchedDocument, type Source, SourceError, type SourceErrorKind } from '@citewell/sources';
import { describe, expect, it } from '@jest/globals';
import { DocumentFetcher } from './document-fetcher.js';

const MESSAGE = 'Nobody may read The merger.txt.';

function due(path: string, isRestricted: boolean): DueDocument {
  const fields = { version: '1', bytes: null, url: null, modifiedAt: null, datasourceId: null };
  return { documentId: path, path, isRestricted, ...fields };
}

/** Fetches documents of a source that does not give those of the name `broken`. */
function fetch(kind: SourceErrorKind, documents: readonly DueDocument[], text = '', mediaType?: string) {
  const source = {
    check: async () => 'Fine.',
    fetch: async ({ path }: { path: string }): Promise<FetchedDocument> => {
      if (path === 'broken') throw new SourceError(kind, MESSAGE, { retryAfterMs: 5 });
      return { version: '1', content: Readable.from([text]), ...(mediaType && { mediaType }) };
    },
  } as unknown as Source;
  const bytes = Buffer.from(text);
  const fetcher = new DocumentFetcher(
    { announce: async () => undefined, forget: async () => undefined },
    {
      put: async () => ({ bytes: bytes.length, sha256: '' }),
      read: async (_key, { start = 0, end = bytes.length } = {}) => bytes.subarray(start, end),
      delete: async () => undefined,
    },
    { MAX_UPLOAD_BYTES: 100, EXTRA_FILE_TYPES: ['log'] },
  );
  const run = { organizationId: 'o' } as unknown as RunEntity;
  return fetcher.fetch(source, run, documents, new AbortController().signal);
}

describe('DocumentFetcher', () => {
  it.each(['denied', 'limited'] as const)('ends when the source says %s', async (kind) => {
    const { failure } = await fetch(kind, [due('broken', false)]);
    expect(failure).toMatchObject({ kind, message: MESSAGE, options: { retryAfterMs: 5 } });
  });

  it.each(['denied', 'limited'] as const)(
    'does not repeat what a source says of a document for some people only: %s',
    async (kind) => {
      const { failure } = await fetch(kind, [due('broken', true)]);
      expect(failure).toMatchObject({
        kind,
        message: 'The source does not give a document that it shows to some people only.',
        options: { retryAfterMs: 5 },
      });
    },
  );

  it.each([
    ['plans/report.pdf', '<p>Ten piers.</p>', 'text/html', 'text/html'],
    ['data.json', '<p>Ten piers.</p>', 'text/html', 'text/html'],
    ['README.md', '<p>Ten piers.</p>', 'text/html; charset=utf-8', 'text/html'],
    ['old.zip', '# Ten piers', 'text/markdown', 'text/markdown'],
    ['server.log', 'pier,boats', 'text/csv', 'text/csv'],
    ['data.json', '{"piers": 10}', undefined, 'application/json'],
    ['README.md', '# Ten piers', 'application/octet-stream', 'text/markdown'],
    ['report.pdf', '<p>Ten piers.</p>', undefined, undefined],
  ])('%s with the content %s, which the source calls %s, is %s', async (path, text, mediaType, expected) => {
    const { outcomes } = await fetch('gone', [due(path, false)], text, mediaType);
    expect(outcomes).toEqual([
      expect.objectContaining(
        expected === undefined ? { reason: expect.any(String) } : { mimeType: expected },
      ),
    ]);
  });

  it('keeps the reason of a document beside its row', async () => {
    const { outcomes, failure } = await fetch('gone', [due('empty', false), due('broken', true)]);
    expect(failure).toBeNull();
    expect(outcomes.map(({ path, reason }) => [path, reason])).toEqual([
      ['empty', 'empty'],
      ['broken', MESSAGE],
    ]);
  });
});
