import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type BlobRepository,
  DatasourceEntity,
  RunEntity,
  type RunLifecycleRepository,
} from '@citewell/database';
import { DocumentBuilder, encodeDocument, hashEncoded } from '@citewell/documents';
import {
  documentHash,
  pipelineFingerprint,
  type RunBlobs,
  type RunExecutor,
  type StageWork,
} from '@citewell/ingestion';
import { FaultPoints } from '@citewell/observability';
import type { ParsedFile } from '../sandbox/parse-protocol.js';
import type { ParserSandbox } from '../sandbox/parser-sandbox.js';
import { ParseDocumentHandler } from './parse-document.handler.js';

const SPACE = { name: 'space', dense: null };
const content = { sha256: 'c0ffee', contentType: 'application/pdf' };
const RECOGNISED = pipelineFingerprint(content);
const UNRECOGNISED = pipelineFingerprint(content, { lacksRecognition: true });

function parsed(text: string, { hasUnrecognizedPages = false } = {}): ParsedFile {
  const encoded = encodeDocument(new DocumentBuilder().block('paragraph', text).build());
  return { ...encoded, characters: text.length, pageCount: 3, hasUnrecognizedPages };
}

/**
 * Handles a run of a PDF.
 *
 * @param serving the fingerprint of the run that serves
 * @param textHash of the run that serves
 * @returns the fingerprint that it was given, or that what serves was kept, with its new one
 */
async function handle(given: {
  serving: string | null;
  textHash?: string;
  recognition: boolean;
  file: ParsedFile;
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
    datasource: new DatasourceEntity(),
    report: () => undefined,
  } as unknown as StageWork;
  // The handler uses only what the fakes have.
  const handler = new ParseDocumentHandler(
    {
      execute: (_payload: unknown, _job: unknown, stage: (work: StageWork) => Promise<void>) => stage(work),
    } as unknown as RunExecutor,
    {
      keepServing: async (_run: RunEntity, fingerprint: string | null = null) =>
        (outcome = `kept, ${fingerprint ?? 'as it was'}`),
      advance: async (_run: RunEntity, _stage: string, result: { fingerprint?: string }) =>
        (outcome = result.fingerprint),
    } as unknown as RunLifecycleRepository,
    { find: async () => ({ sha256: content.sha256, bytes: 9 }) } as unknown as BlobRepository,
    { localPath: (key: string) => `/blobs/${key}` } as never,
    { put: async () => undefined } as unknown as RunBlobs,
    { parse: async () => given.file } as unknown as ParserSandbox,
    { isAvailable: async () => given.recognition },
    SPACE,
    new FaultPoints(undefined),
  );
  await handler.handle({} as never, {} as never);
  return outcome;
}

describe('a document whose bytes are the same', () => {
  const text = parsed('Three pages of text.');
  const mixed = parsed('Two pages of text and a picture.', { hasUnrecognizedPages: true });

  it('is not read again', async () => {
    assert.equal(await handle({ serving: RECOGNISED, recognition: true, file: text }), 'kept, as it was');
    assert.equal(await handle({ serving: 'of another version', recognition: true, file: text }), RECOGNISED);
  });

  it('is read again where pictures of text can be recognised that could not be', async () => {
    assert.equal(await handle({ serving: null, recognition: false, file: mixed }), UNRECOGNISED);
    assert.equal(await handle({ serving: UNRECOGNISED, recognition: false, file: mixed }), 'kept, as it was');
    assert.equal(await handle({ serving: UNRECOGNISED, recognition: true, file: text }), RECOGNISED);
  });

  it('is read again once, also where recognition finds nothing', async () => {
    const textHash = documentHash(hashEncoded(mixed));
    const outcome = await handle({ serving: UNRECOGNISED, textHash, recognition: true, file: mixed });
    assert.equal(outcome, `kept, ${RECOGNISED}`);
  });

  it('leaves the fingerprint of what serves alone where other bytes say the same', async () => {
    const textHash = documentHash(hashEncoded(text));
    const outcome = await handle({ serving: 'of other bytes', textHash, recognition: true, file: text });
    assert.equal(outcome, 'kept, as it was');
  });

  it('is not read again for pictures on which recognition has failed', async () => {
    assert.equal(await handle({ serving: null, recognition: true, file: mixed }), RECOGNISED);
    assert.equal(await handle({ serving: RECOGNISED, recognition: true, file: mixed }), 'kept, as it was');
  });
});
