import type { RunFacts, RunRole } from '@citewell/database';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { comparePoints, hasExpectedPoints, type StoredRun } from './run-points.js';

const facts = (runId: string, role: RunRole, chunks = 3): RunFacts => ({
  runId,
  organizationId: 'o',
  datasourceId: 'd',
  role,
  space: 'l1',
  chunks,
});
const stored = (runId: string, pointsBySpace: Record<string, number>): [string, StoredRun] => [
  runId,
  { runId, organizationId: 'o', pointsBySpace: new Map(Object.entries(pointsBySpace)) },
];

describe('comparePoints', () => {
  it('finds orphaned points, but not the points of unfinished runs and of runs that wait for a purge', () => {
    const known = (['serves', 'unfinished', 'purging', 'retired'] as const).map((role) => facts(role, role));
    const store = new Map([
      ...known.map(({ runId }) => stored(runId, { l1: 3 })),
      stored('unknown', { l1: 1 }),
    ]);
    const differences = comparePoints(store, new Map(known.map((run) => [run.runId, run])));
    expect(differences.orphans.map((run) => run.runId)).toEqual(['retired', 'unknown']);
    expect(differences.isForeign).toBe(false);
  });

  it('finds serving runs with too few points, too many points or points in another space', () => {
    const isComplete = (run: [string, StoredRun] | undefined): boolean =>
      hasExpectedPoints(facts('r', 'serves'), run?.[1]);
    expect(isComplete(stored('r', { l1: 3 }))).toBe(true);
    expect(isComplete(stored('r', { l1: 3, l0: 0 }))).toBe(true);
    for (const points of [{ l1: 2 }, { l1: 4 }, {}, { l0: 3 }, { l1: 3, l0: 1 }])
      expect(isComplete(stored('r', points))).toBe(false);
    expect(isComplete(undefined)).toBe(false);
    expect(hasExpectedPoints(facts('r', 'serves', 0), undefined)).toBe(true);
  });

  it('detects a store without any known run', () => {
    const store = new Map([stored('a', { l1: 1 })]);
    expect(comparePoints(store, new Map()).isForeign).toBe(true);
    expect(comparePoints(new Map(), new Map()).isForeign).toBe(false);
  });

  it('never reports a serving or unfinished run as an orphan', () => {
    const role = fc.constantFrom<RunRole>('serves', 'unfinished', 'purging', 'retired');
    fc.assert(
      fc.property(fc.array(fc.record({ role, known: fc.boolean(), points: fc.nat(5) })), (runs) => {
        const store = new Map(runs.map(({ points }, index) => stored(`${index}`, { l1: points })));
        const known = new Map<string, RunFacts>();
        for (const [index, run] of runs.entries())
          if (run.known) known.set(`${index}`, facts(`${index}`, run.role));
        for (const { runId } of comparePoints(store, known).orphans) {
          expect(['serves', 'unfinished', 'purging']).not.toContain(known.get(runId)?.role ?? 'retired');
        }
      }),
    );
  });
});
