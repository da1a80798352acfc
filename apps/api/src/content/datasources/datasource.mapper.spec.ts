import { DatasourceEntity, type DatasourceView, RunEntity } from '@citewell/database';
import { expect, it } from '@jest/globals';
import { toDatasource } from './datasource.mapper.js';

const view = (fields: Partial<DatasourceView>): DatasourceView => ({
  datasource: Object.assign(new DatasourceEntity(), {
    type: 'web_site',
    status: 'synched',
    config: {},
    error: { code: 'PARTIAL', message: 'Some are missing.', retryable: false },
    createdAt: new Date(0),
    updatedAt: new Date(0),
    lastSynch: new Date(0),
  }),
  sha256: null,
  serving: null,
  current: null,
  reindex: null,
  pagesReindexing: 0,
  pagesUnderWay: 0,
  dueStage: null,
  ...fields,
});

it('shows a due run as started, so that a poll for its end does not see the end of the previous run', () => {
  const { status, progress, error } = toDatasource(view({}));
  expect([status, progress, error?.code]).toEqual(['synched', null, 'PARTIAL']);
  const due = toDatasource(view({ dueStage: 'discovering' }));
  expect([due.status, due.progress?.stage, due.error]).toEqual(['unsynched', 'discovering', null]);
});

it('shows the progress of a file in pages while it is parsed', () => {
  const percentAt = (done: number): number | undefined => {
    const current = Object.assign(new RunEntity(), { stage: 'parsing', progress: { done, total: 10 } });
    return toDatasource(view({ current })).progress?.percent;
  };
  expect([0, 1, 5, 10].map(percentAt)).toEqual([10, 15, 35, 60]);
});

it('shows the progress of an archive in files, from half of it when they are unpacked', () => {
  const current = Object.assign(new RunEntity(), {
    stage: 'parsing',
    progress: { done: 4, total: 4, pages: 4 },
  });
  for (const [pagesUnderWay, percent, indexed] of [
    [4, 50, 0],
    [1, 87.5, 3],
    [0, 100, 4],
  ] as const)
    expect(toDatasource(view({ current, pagesUnderWay })).progress).toMatchObject({
      stage: 'parsing',
      percent,
      pages: { found: 4, fetched: 4, indexed, failed: 0 },
    });
});
