import type { BlobRepository } from '@citewell/database';
import { DocumentError } from '@citewell/documents';
import type { StageWork } from '@citewell/ingestion';
import { expect, it } from '@jest/globals';
import { ContentParser, type RunContent } from './content-parser.js';

it('tries bytes that took too long only once, until the limit changes', async () => {
  const recorded = new Map<string, string>();
  const blobs = {
    hasTimedOut: async (organizationId: string, sha256: string, timedOut: string) =>
      recorded.get(organizationId + sha256) === timedOut,
    recordTimeout: async (key: string, timedOut: string) =>
      void recorded.set(key.replace(/-.*/, ''), timedOut),
  } as unknown as BlobRepository;
  const store = { localPath: async () => null, open: async () => 'bytes' };
  let tries = 0;
  const sandbox = {
    parse: async () => {
      tries += 1;
      throw new DocumentError('PARSE_TIMEOUT', 'scripted');
    },
  };
  const parse = async (upload: string, PARSER_TIMEOUT_MS: number): Promise<string> => {
    const parser = new ContentParser(blobs, {} as never, store as never, sandbox as never, {
      PARSER_TIMEOUT_MS,
    });
    const [owner = '', sha256 = ''] = upload.split(/(?<=^.)/);
    const content: RunContent = {
      key: upload,
      sha256: sha256.replace(/-.*/, ''),
      contentType: 'application/pdf',
      bytes: 9,
    };
    const work = { run: { organizationId: owner, contentName: 'name' } } as unknown as StageWork;
    return parser.parse(content, work).then(
      () => 'parsed',
      (error: IngestionFailure) => `${error.code} after ${tries}`,
    );
  };
  interface IngestionFailure {
    readonly code: string;
  }

  // The first letter is the organization, the second the bytes.
  expect(await parse('ax-1', 15_000)).toBe('PARSE_TIMEOUT after 1');
  expect(await parse('ax-1', 15_000)).toBe('PARSE_TIMEOUT after 1');
  expect(await parse('ax-2', 15_000)).toBe('PARSE_TIMEOUT after 1');
  expect(await parse('ay-1', 15_000)).toBe('PARSE_TIMEOUT after 2');
  expect(await parse('bx-1', 15_000)).toBe('PARSE_TIMEOUT after 3');
  expect(await parse('ax-1', 30_000)).toBe('PARSE_TIMEOUT after 4');
});
