import { describe, expect, it } from '@jest/globals';
import { DatasourceEntity } from '../../schema/content.entities.js';
import { type ExistingDatasource, type NewDatasource, planWrite, roundsOf } from './upsert-plan.js';

const content = { key: 'new', bytes: 1, sha256: 'a' };
const item: NewDatasource = {
  datastoreId: 'store',
  type: 'text',
  name: 'Text',
  customId: 'c',
  config: {},
  metadata: null,
  mimeType: 'text/plain',
  content,
  isUpsert: true,
};

function existing(
  fields: Partial<DatasourceEntity> = {},
  state: Partial<ExistingDatasource> = {},
): ExistingDatasource {
  const datasource = Object.assign(new DatasourceEntity(), {
    type: 'text',
    mimeType: 'text/plain',
    config: {},
    error: null,
    ...fields,
  });
  return { datasource, sha256: 'a', hasUnfinishedRun: false, ...state };
}

describe('planWrite', () => {
  const error = { code: 'X', message: 'x', retryable: false };
  it.each<[string, Partial<NewDatasource>, ExistingDatasource[], string]>([
    ['creates without upsert, whatever has the custom id', { isUpsert: false }, [existing()], 'create'],
    ['creates if nothing has the custom id', {}, [], 'create'],
    ['keeps equal content', {}, [existing()], 'keep'],
    ['replaces other content', {}, [existing({}, { sha256: 'b' })], 'replace'],
    [
      'replaces equal content with another encoding',
      { config: { encoding: 'big5' } },
      [existing()],
      'replace',
    ],
    [
      'keeps it with the same encoding',
      { config: { encoding: 'big5' } },
      [existing({ config: { encoding: 'big5' } })],
      'keep',
    ],
    ['keeps its encoding', {}, [existing({ config: { encoding: 'big5' } })], 'keep'],
    ['replaces equal content of another type of file', { mimeType: 'text/html' }, [existing()], 'replace'],
    ['replaces equal content that could not be indexed', {}, [existing({ error })], 'replace'],
    ['keeps equal content with a warning', {}, [existing({ error, status: 'synched' })], 'keep'],
    [
      'replaces equal content whose vectors could not be computed',
      {},
      [existing({ error: { ...error, retryable: true }, status: 'synched' })],
      'replace',
    ],
    ['keeps it while it is indexed again', {}, [existing({ error }, { hasUnfinishedRun: true })], 'keep'],
    [
      'syncs a web page',
      { type: 'web_page', content: null, mimeType: null },
      [existing({ type: 'web_page', mimeType: null }, { sha256: null })],
      'sync',
    ],
    ['refuses another type', { type: 'file' }, [existing()], 'refuse'],
    ['refuses to choose among several', {}, [existing(), existing()], 'refuse'],
  ])('%s', (_, fields, found, action) => {
    expect(planWrite({ ...item, ...fields }, found).action).toBe(action);
  });
});

describe('roundsOf', () => {
  it('separates items with the same custom id, in their order', () => {
    const items = ['a', 'b', null, 'a', null, 'a', 'b'].map((customId, place) => ({ customId, place }));
    expect(roundsOf(items).map((round) => round.map(({ place }) => place))).toEqual([
      [0, 1, 2, 4],
      [3, 6],
      [5],
    ]);
  });
});
