import { setTimeout as sleep } from 'node:timers/promises';
import { DatasourceEntity, type DatasourceView } from '@citewell/database';
import type { Logger } from '@citewell/observability';
import { expect, it } from '@jest/globals';
import { DatasourceWatcher } from './datasource-watcher.js';

/** Longer than two polls. */
const POLLS_MS = 800;

const viewOf = (id: string): DatasourceView => ({
  datasource: Object.assign(new DatasourceEntity(), {
    id,
    type: 'text',
    status: 'running',
    config: {},
    createdAt: new Date(0),
    updatedAt: new Date(0),
  }),
  serving: null,
  current: null,
  reindex: null,
  pagesReindexing: 0,
  pagesUnderWay: 0,
  dueStage: null,
});

it('sends one query per poll for all watches, and none without a watch', async () => {
  const queries: (readonly string[])[] = [];
  const existing = new Set(['a', 'b']);
  let fails = true;
  const findByIds = async (ids: readonly string[]): Promise<DatasourceView[]> => {
    queries.push(ids);
    if (fails) {
      fails = false;
      throw new Error('the database restarts');
    }
    return ids.filter((id) => existing.has(id)).map(viewOf);
  };
  const warn = (): undefined => undefined;
  const watcher = new DatasourceWatcher({ findByIds }, { warn } as unknown as Logger);
  const seen: string[] = [];
  const unwatch = ['a', 'a', 'b', 'deleted'].map((id) =>
    watcher.watch(id, (datasource) => seen.push(`${id}: ${datasource?.id ?? 'gone'}`)),
  );
  await sleep(POLLS_MS);
  expect(queries.length).toBeGreaterThanOrEqual(2);
  expect(queries.every((ids) => ids.join() === 'a,b,deleted')).toBe(true);
  expect(new Set(seen)).toEqual(new Set(['a: a', 'b: b', 'deleted: gone']));
  expect(seen.filter((text) => text === 'a: a')).toHaveLength(2 * (queries.length - 1));

  unwatch.forEach((end) => end());
  await sleep(POLLS_MS);
  const before = queries.length;
  await sleep(POLLS_MS);
  expect(queries).toHaveLength(before);

  watcher.watch('b', () => undefined)();
  await sleep(POLLS_MS);
  expect(queries.length).toBeLessThanOrEqual(before + 1);
});
