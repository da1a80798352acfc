import { DatasourceEntity, type DatasourceView } from '@citewell/database';
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
  serving: null,
  current: null,
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
