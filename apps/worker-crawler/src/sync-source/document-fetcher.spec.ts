import { Readable } from 'node:stream';
import type { DueDocument, RunEntity } from '@citewell/database';
import { type Source, SourceError, type SourceErrorKind } from '@citewell/sources';
import { describe, expect, it } from '@jest/globals';
import { DocumentFetcher } from './document-fetcher.js';

const MESSAGE = 'Nobody may read The merger.txt.';

function due(path: string, isRestricted: boolean): DueDocument {
  const fields = { version: '1', bytes: null, url: null, modifiedAt: null, datasourceId: null };
  return { documentId: path, path, isRestricted, ...fields };
}

/** Fetches documents of a source that does not give those of the name `broken`. */
function fetch(kind: SourceErrorKind, documents: readonly DueDocument[]) {
  const source = {
    check: async () => 'Fine.',
    fetch: async ({ path }: { path: string }) => {
      if (path === 'broken') throw new SourceError(kind, MESSAGE, { retryAfterMs: 5 });
      return { version: '1', content: Readable.from([]) };
    },
  } as unknown as Source;
  const fetcher = new DocumentFetcher(
    { announce: async () => undefined, forget: async () => undefined },
    {
      put: async () => ({ bytes: 0, sha256: '' }),
      read: async () => Buffer.alloc(0),
      delete: async () => undefined,
    },
    { MAX_UPLOAD_BYTES: 100, EXTRA_FILE_TYPES: [] },
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

  it('keeps the reason of a document beside its row', async () => {
    const { outcomes, failure } = await fetch('gone', [due('empty', false), due('broken', true)]);
    expect(failure).toBeNull();
    expect(outcomes.map(({ path, reason }) => [path, reason])).toEqual([
      ['empty', 'empty'],
      ['broken', MESSAGE],
    ]);
  });
});
