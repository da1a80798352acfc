import { setTimeout as sleep } from 'node:timers/promises';
import { DatasourceEntity, type DatasourceView, TenantScope } from '@citewell/database';
import type { Logger } from '@citewell/observability';
import { expect, it } from '@jest/globals';
import { DatasourceWatcher } from './datasource-watcher.js';

/** Longer than two polls. */
const POLLS_MS = 800;
/** Longer than a check of what viewers may read. */
const CHECKS_MS = 2_000;

const viewOf = (id: string): DatasourceView => ({
  datasource: Object.assign(new DatasourceEntity(), {
    id,
    type: 'text',
    status: 'running',
    config: {},
    createdAt: new Date(0),
    updatedAt: new Date(0),
  }),
  sha256: null,
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
  const viewer = { key: 'k', tenant: async () => new TenantScope('o') };
  const readableIds = async () => new Set<string>();
  const watcher = new DatasourceWatcher({ findByIds, readableIds }, { warn } as unknown as Logger);
  const seen: string[] = [];
  const unwatch = ['a', 'a', 'b', 'deleted'].map((id) =>
    watcher.watch(id, viewer, (datasource) => seen.push(`${id}: ${datasource?.id ?? 'gone'}`)),
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

  watcher.watch('b', viewer, () => undefined)();
  await sleep(POLLS_MS);
  expect(queries.length).toBeLessThanOrEqual(before + 1);
});

it('ends the watches of viewers who may not read a datasource any more, within seconds', async () => {
  const findByIds = async (ids: readonly string[]): Promise<DatasourceView[]> => ids.map(viewOf);
  const member = new TenantScope('o', { personId: 'p', role: 'member' });
  const asked: (readonly string[])[] = [];
  const readableIds = async (scope: TenantScope, ids: readonly string[]) => {
    asked.push(ids);
    // An API key reads what no source restricts.
    return new Set(scope === member ? ['a'] : ids);
  };
  const warn = (): undefined => undefined;
  const watcher = new DatasourceWatcher({ findByIds, readableIds }, { warn } as unknown as Logger);
  const gone = new Set<string>();
  const viewers = {
    member: { key: 'member', tenant: async () => member },
    key: { key: 'key', tenant: async () => new TenantScope('o') },
    removed: { key: 'removed', tenant: async () => null },
  };
  const unwatch = Object.entries(viewers).flatMap(([name, viewer]) =>
    ['a', 'b'].map((id) =>
      watcher.watch(id, viewer, (datasource) => {
        if (datasource === null) gone.add(`${name} ${id}`);
      }),
    ),
  );
  await sleep(CHECKS_MS);
  expect(gone).toEqual(new Set(['member b', 'removed a', 'removed b']));
  expect(new Set(asked.map((ids) => ids.join()))).toEqual(new Set(['a,b']));
  unwatch.forEach((end) => end());
});
