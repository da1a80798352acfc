import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BlobNotFoundError, type BlobStore, DirectoryBlobStore } from '@citewell/blob-store';
import {
  type DatasourceRepository,
  type DatasourceView,
  newId,
  runBlobKey,
  RunEntity,
  TenantScope,
} from '@citewell/database';
import { DocumentBuilder, encodePageWords } from '@citewell/documents';
import { toChunkLine } from '@citewell/ingestion';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiError } from '../../http/api-error.js';
import { ChunkReader } from '../../answering/search/chunk-reader.service.js';
import { ChunksService, DatasourceContentService } from './datasource-content.service.js';

const TEXT = 'Üben macht den Meister.\n\n😀 中文 and the rest of it.';
const CHUNK_OFFSETS = [
  [0, 12],
  [12, 23],
  [25, 30],
  [30, TEXT.length],
] as const;

describe('ChunksService', () => {
  const tenant = new TenantScope(newId());
  let directory: string;
  let store: BlobStore;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'citewell-chunks-'));
    store = new DirectoryBlobStore(directory);
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  async function servingRun(): Promise<RunEntity> {
    const run = Object.assign(new RunEntity(), {
      id: newId(),
      organizationId: tenant.organizationId,
      datasourceId: newId(),
    });
    const lines = CHUNK_OFFSETS.map(([start, end], ordinal) =>
      toChunkLine({ ordinal, start, end, page: 1, headingPath: ['A'], contentHash: `${ordinal % 2}` }),
    );
    await store.put(runBlobKey(run, 'text'), Buffer.from(TEXT, 'utf16le'));
    await store.put(runBlobKey(run, 'chunks'), Buffer.from(lines.join('')));
    return run;
  }

  /** A service whose datasource has these serving runs at successive reads; the last one stays. */
  function serviceWith(...serving: (RunEntity | null)[]): ChunksService {
    const views = serving.map((run) => ({ datasource: { type: 'text' }, serving: run }) as DatasourceView);
    const find = async (): Promise<DatasourceView | null> =>
      (views.length > 1 ? views.shift() : views[0]) ?? null;
    // The service calls no other method of the repository.
    return new ChunksService({ find } as unknown as DatasourceRepository, new ChunkReader(store));
  }

  it('returns chunks with their text, page by page', async () => {
    const service = serviceWith(await servingRun());
    const items = await service.list(tenant, '', { limit: 50 });
    expect(items.map(({ text }) => text)).toEqual(
      CHUNK_OFFSETS.map(([start, end]) => TEXT.slice(start, end)),
    );
    expect(await service.list(tenant, '', { limit: 2 })).toEqual(items.slice(0, 2));
    expect(await service.list(tenant, '', { limit: 2, cursor: 1 })).toEqual(items.slice(2));
    expect(await service.list(tenant, '', { limit: 2, cursor: 3 })).toEqual([]);
    // Chunks of equal content have one id.
    expect(items[0]?.chunk_id).toBe(items[2]?.chunk_id);
    expect([items[3]?.page_number, items[3]?.heading_path]).toEqual([1, ['A']]);
  });

  it('returns none before a run serves, and rejects an unknown datasource', async () => {
    expect(await serviceWith(null).list(tenant, '', { limit: 1 })).toEqual([]);
    await expect(serviceWith().list(tenant, '', { limit: 1 })).rejects.toThrow(ApiError);
  });

  it('reads the run that replaced the serving one during the request', async () => {
    const replaced = await servingRun();
    await store.delete([runBlobKey(replaced, 'chunks')]);
    const items = await serviceWith(replaced, await servingRun()).list(tenant, '', { limit: 1 });
    expect(items).toHaveLength(1);
    await expect(serviceWith(replaced).list(tenant, '', { limit: 1 })).rejects.toThrow(BlobNotFoundError);
  });
});

it('reads the words of a recognized page, and none of other pages', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'citewell-words-'));
  const store = new DirectoryBlobStore(directory);
  const builder = new DocumentBuilder().setPageCount(2);
  const word = { page: 2, text: 'fee', confidence: 88, left: 0.1, top: 0.2, width: 0.3, height: 0.04 };
  builder.recognized.setContent(2, 'recognized');
  builder.beginPage(2).block('paragraph', 'The fee', { words: [word] });
  const document = builder.build();
  const run = Object.assign(new RunEntity(), {
    id: newId(),
    organizationId: newId(),
    datasourceId: newId(),
    counts: { pages: 2, pageContents: document.pages },
  });
  await store.put(runBlobKey(run, 'words'), encodePageWords(document) ?? Buffer.alloc(0));
  const find = async () => ({ datasource: { type: 'file' }, serving: run }) as DatasourceView;
  const service = new DatasourceContentService({ find } as unknown as DatasourceRepository, store);
  const tenant = new TenantScope(run.organizationId);
  const { page: _page, text: _text, ...place } = word;
  expect(await service.page(tenant, '', 2)).toEqual({
    page: 2,
    content: 'recognized',
    words: [{ start: 4, end: 7, ...place }],
    unreadable: [],
  });
  expect(await service.page(tenant, '', 1)).toEqual({ page: 1, content: 'text', words: [], unreadable: [] });
  for (const page of [0, 3, NaN])
    await expect(service.page(tenant, '', page)).rejects.toThrow(/no such page/);
  await rm(directory, { recursive: true, force: true });
});
