import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RunFacts, RunRole } from '@citewell/database';
import fc from 'fast-check';
import { comparePoints, hasItsPoints, type StoredRun } from './compare-points.js';

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
  it('finds points that nothing refers to, and leaves those of work under way and of purges alone', () => {
    const known = (['serves', 'under-way', 'going', 'retired'] as const).map((role) => facts(role, role));
    const store = new Map([
      ...known.map(({ runId }) => stored(runId, { l1: 3 })),
      stored('unknown', { l1: 1 }),
    ]);
    const differences = comparePoints(store, new Map(known.map((run) => [run.runId, run])), [
      facts('serves', 'serves'),
    ]);
    assert.deepEqual(
      differences.orphans.map((run) => run.runId),
      ['retired', 'unknown'],
    );
    assert.deepEqual(differences.incomplete, []);
    assert.equal(differences.isForeign, false);
  });

  it('finds serving runs with too few, too many, no, or misplaced points', () => {
    const of = (run: [string, StoredRun] | undefined): boolean =>
      hasItsPoints(facts('r', 'serves'), run?.[1]);
    assert.equal(of(stored('r', { l1: 3 })), true);
    assert.equal(of(stored('r', { l1: 3, l0: 0 })), true);
    for (const points of [{ l1: 2 }, { l1: 4 }, {}, { l0: 3 }, { l1: 3, l0: 1 }])
      assert.equal(of(stored('r', points)), false);
    assert.equal(of(undefined), false);
    assert.equal(hasItsPoints(facts('r', 'serves', 0), undefined), true);
  });

  it('tells a store of which nothing is known', () => {
    const store = new Map([stored('a', { l1: 1 })]);
    assert.equal(comparePoints(store, new Map(), []).isForeign, true);
    assert.equal(comparePoints(new Map(), new Map(), []).isForeign, false);
  });

  it('never condemns a run that serves or is under way', () => {
    const role = fc.constantFrom<RunRole>('serves', 'under-way', 'going', 'retired');
    fc.assert(
      fc.property(fc.array(fc.record({ role, known: fc.boolean(), points: fc.nat(5) })), (runs) => {
        const store = new Map(runs.map(({ points }, index) => stored(`${index}`, { l1: points })));
        const known = new Map<string, RunFacts>();
        for (const [index, run] of runs.entries())
          if (run.known) known.set(`${index}`, facts(`${index}`, run.role));
        for (const { runId } of comparePoints(store, known, []).orphans) {
          assert.ok(!['serves', 'under-way', 'going'].includes(known.get(runId)?.role ?? 'retired'));
        }
      }),
    );
  });
});
