import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  type ArchiveRepository,
  type BlobRepository,
  DatasourceEntity,
  RunEntity,
  type RunLifecycleRepository,
} from '@citewell/database';
import { DocumentBuilder, DocumentError, encodeDocument, hashEncoded } from '@citewell/documents';
import type { Spaces } from '@citewell/infrastructure';
import { type RunBlobs, type StageWork, documentHash, pipelineFingerprint } from '@citewell/ingestion';
import { FaultPoints } from '@citewell/observability';
import { describe, expect, it } from '@jest/globals';
import type { ParsedFile } from '../sandbox/parse-protocol.js';
import type { PageStore } from '../sandbox/page-recognition.js';
import type { ParserSandbox } from '../sandbox/parser-sandbox.js';
import { ChangeDetector, ContentParser, DocumentParsing, type RunContent } from './parse-document.handler.js';

const SPACE = { name: 'space', dense: null };
const SPACES: Spaces = { indexing: { space: SPACE, model: null, isInterim: false }, embedding: null };
const content = { sha256: 'c0ffee', contentType: 'application/pdf' };
const RECOGNIZED = pipelineFingerprint(content);
const UNDESCRIBED = { code: 'PARTLY_READ', message: 'One picture was not described.' };
const UNRECOGNIZED = pipelineFingerprint(content, { lacksRecognition: true });

function parsed(
  text: string,
  { hasUnrecognizedPages = false, tables = null as string | null } = {},
): ParsedFile {
  const encoded = encodeDocument(new DocumentBuilder().block('paragraph', text).build());
  return {
    ...encoded,
    characters: text.length,
    pageCount: 3,
    pages: [],
    words: null,
    hasUnrecognizedPages,
    leftOut: {},
    title: null,
    warnings: [],
    tables,
  };
}

/**
 * Parses the content of a run of a PDF.
 *
 * @param given.serving fingerprint of the serving run; null for no serving run
 * @param given.textHash of the serving run
 * @param given.recognition whether text recognition is installed
 * @returns the fingerprint of the new run; or `kept`, with the new fingerprint of the serving run
 */
async function parse(given: {
  serving: string | null;
  textHash?: string;
  recognition: boolean;
  file: ParsedFile;
  /** Chosen by the user. */
  encoding?: string;
  onHash?: (textHash: string | undefined) => void;
  /** Whether a picture could not be described. */
  isUndescribed?: boolean;
}): Promise<string | undefined> {
  let outcome: string | undefined;
  const run = Object.assign(new RunEntity(), { contentKey: 'key', contentType: content.contentType });
  const serving =
    given.serving === null
      ? null
      : Object.assign(new RunEntity(), {
          space: SPACE.name,
          fingerprint: given.serving,
          textHash: given.textHash ?? null,
        });
  const work = {
    run,
    serving,
    datasource: Object.assign(new DatasourceEntity(), {
      config: given.encoding === undefined ? {} : { encoding: given.encoding },
    }),
    report: () => undefined,
  } as unknown as StageWork;
  // The class uses only the methods that the fakes have.
  const parsing = new DocumentParsing(
    {
      keepServing: async (_run: RunEntity, fingerprint: string | null = null) =>
        (outcome = `kept, ${fingerprint ?? 'same fingerprint'}`),
      advance: async (
        _run: RunEntity,
        _stage: string,
        result: { fingerprint?: string; textHash?: string },
      ) => {
        given.onHash?.(result.textHash);
        outcome = result.fingerprint;
      },
    } as unknown as RunLifecycleRepository,
    new ContentParser(
      {
        find: async () => ({ sha256: content.sha256, bytes: 9 }),
        hasTimedOut: async () => false,
      } as unknown as BlobRepository,
      { chosenEncoding: async () => null } as unknown as ArchiveRepository,
      { localPath: async (key: string) => `/blobs/${key}`, open: async () => Readable.from([]) } as never,
      { parse: async () => given.file } as unknown as ParserSandbox,
      { of: () => ({}) as PageStore },
      { of: () => ({ warning: given.isUndescribed ? UNDESCRIBED : null }) as never },
    ),
    new ChangeDetector({ isAvailable: async () => given.recognition }, SPACES),
    {
      put: async (_run: RunEntity, { tables }: { tables?: Readable }) => tables?.destroy(),
    } as unknown as RunBlobs,
    { forget: async () => undefined },
    new FaultPoints(undefined),
  );
  await parsing.parse(work);
  return outcome;
}

describe('DocumentParsing', () => {
  const text = parsed('Three pages of text.');
  const mixed = parsed('Two pages of text and a picture.', { hasUnrecognizedPages: true });

  it('does not parse the same bytes again', async () => {
    expect(await parse({ serving: RECOGNIZED, recognition: true, file: text })).toBe(
      'kept, same fingerprint',
    );
    expect(await parse({ serving: 'of another version', recognition: true, file: text })).toBe(RECOGNIZED);
  });

  it('parses the same bytes again when text recognition has been installed', async () => {
    expect(await parse({ serving: null, recognition: false, file: mixed })).toBe(UNRECOGNIZED);
    expect(await parse({ serving: UNRECOGNIZED, recognition: false, file: mixed })).toBe(
      'kept, same fingerprint',
    );
    expect(await parse({ serving: UNRECOGNIZED, recognition: true, file: text })).toBe(RECOGNIZED);
  });

  it('parses the same bytes again when a picture could not be described', async () => {
    const given = { recognition: true, file: text };
    expect(await parse({ ...given, serving: null, isUndescribed: true })).toBe(UNRECOGNIZED);
    expect(await parse({ ...given, serving: UNRECOGNIZED })).toBe(RECOGNIZED);
  });

  it('parses them again only once when recognition finds nothing', async () => {
    const textHash = documentHash(hashEncoded(mixed));
    const outcome = await parse({ serving: UNRECOGNIZED, textHash, recognition: true, file: mixed });
    expect(outcome).toBe(`kept, ${RECOGNIZED}`);
  });

  it('keeps the fingerprint of the serving run when other bytes give the same text', async () => {
    const textHash = documentHash(hashEncoded(text));
    const outcome = await parse({ serving: 'of other bytes', textHash, recognition: true, file: text });
    expect(outcome).toBe('kept, same fingerprint');
  });

  it('is another document when numbers of its tables differ, and deletes their file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tables-'));
    const tables = join(folder, 'tables.sqlite');
    const hashes: (string | undefined)[] = [];
    for (const numbers of ['1', '1', '2']) {
      await writeFile(tables, numbers);
      const file = parsed('One number', { tables });
      await parse({ serving: null, recognition: true, file, onHash: (hash) => hashes.push(hash) });
      expect(existsSync(tables)).toBe(false);
    }
    await rm(folder, { recursive: true });
    expect(hashes[1]).toBe(hashes[0]);
    expect(hashes[2]).not.toBe(hashes[0]);
  });

  it('parses the same bytes again in another encoding, also when the text is the same', async () => {
    const chosen = pipelineFingerprint({ ...content, encoding: 'big5' });
    const again = { recognition: true, file: text, encoding: 'big5' };
    expect(await parse({ ...again, serving: RECOGNIZED })).toBe(chosen);
    expect(await parse({ ...again, serving: RECOGNIZED, textHash: documentHash(hashEncoded(text)) })).toBe(
      chosen,
    );
    expect(await parse({ ...again, serving: chosen })).toBe('kept, same fingerprint');
  });

  it('does not parse the same bytes again when recognition failed on some pages', async () => {
    expect(await parse({ serving: null, recognition: true, file: mixed })).toBe(RECOGNIZED);
    expect(await parse({ serving: RECOGNIZED, recognition: true, file: mixed })).toBe(
      'kept, same fingerprint',
    );
  });
});

describe('the encoding of a file', () => {
  const parser = new ContentParser(
    { find: async () => ({ sha256: 'c0ffee', bytes: 9 }) } as unknown as BlobRepository,
    {
      chosenEncoding: async (_organization: string, id: string) => (id === 'zip' ? 'big5' : null),
    } as unknown as ArchiveRepository,
    {} as never,
    {} as ParserSandbox,
    { of: () => ({}) as PageStore },
    { of: () => ({ warning: null }) as never },
  );

  it.each<
    [
      what: string,
      groupId: string | null,
      own: string | null,
      contentType: string,
      encoding: string | undefined,
    ]
  >([
    ['its own', null, 'gbk', 'text/csv', 'gbk'],
    ['none', null, null, 'text/csv', undefined],
    ['that of its archive', 'zip', null, 'text/csv', 'big5'],
    ['that of its archive for an e-mail', 'zip', null, 'message/rfc822', 'big5'],
    ['its own rather than that of its archive', 'zip', 'gbk', 'text/csv', 'gbk'],
    ['none, as its archive has none', 'other', null, 'text/csv', undefined],
    ['none, as it is not text', 'zip', null, 'application/pdf', undefined],
  ])('is %s', async (_, groupId, own, contentType, encoding) => {
    const run = Object.assign(new RunEntity(), { contentKey: 'key', contentType });
    const config = own === null ? {} : { encoding: own };
    const datasource = Object.assign(new DatasourceEntity(), {
      organizationId: 'organization',
      groupId,
      config,
    });
    expect((await parser.find(run, datasource)).encoding).toBe(encoding);
  });
});

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
  const parse = async (upload: string, timeoutMs: number): Promise<string> => {
    const parser = new ContentParser(
      blobs,
      {} as never,
      store as never,
      { ...sandbox, timeoutMs } as never,
      { of: () => ({}) as PageStore },
      { of: () => ({ warning: null }) as never },
    );
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
