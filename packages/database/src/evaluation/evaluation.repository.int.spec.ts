import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { valueOf } from '../fixtures/result.fixtures.js';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { EvaluationRepository } from './evaluation.repository.js';

const fields = {
  name: 'e',
  configuration: { agentId: 'a' },
  baseline: null,
  datastoreIds: [],
  questions: [{ question: 'one' }, { question: 'two' }],
};
const outcome = { rank: 1, score: 1, refused: false, values: {}, passages: [] };

describe('EvaluationRepository', () => {
  const server = new TestServer();
  let dataSource: DataSource;
  let tenant: TestTenant;
  let evaluations: EvaluationRepository;

  beforeAll(async () => {
    dataSource = await server.database();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    await dataSource.query('DELETE FROM evaluations');
    tenant = await TestTenant.create(dataSource);
    evaluations = new EvaluationRepository(dataSource);
  });
  /** The process that has claimed the evaluations dies, and its time runs out. */
  const expire = () => dataSource.query(`UPDATE evaluations SET due_at = now() - interval '1 second'`);

  it('gives an evaluation to one process at a time, the one that has waited longest', async () => {
    const first = valueOf(await evaluations.create(tenant.scope, fields, 3));
    const second = valueOf(await evaluations.create(tenant.scope, fields, 3));
    expect((await evaluations.claim(60))?.id).toBe(first);
    expect((await evaluations.claim(60))?.id).toBe(second);
    expect(await evaluations.claim(60)).toBeNull();
    await evaluations.release(first, 0);
    expect((await evaluations.claim(60))?.id).toBe(first);
  });

  it('gives the evaluation of a dead process to another, with the questions that it has answered', async () => {
    const id = valueOf(await evaluations.create(tenant.scope, fields, 3));
    const claimed = await evaluations.claim(60);
    expect(claimed).toMatchObject({ id, attempts: 1 });
    if (!claimed) return;
    await evaluations.record(claimed, { side: 'configuration', position: 0, outcome }, 60);
    await expire();
    // The death of a process counts as five attempts.
    expect(await evaluations.claim(60)).toMatchObject({ id, attempts: 5 });
    expect(await evaluations.answered(id)).toEqual([{ side: 'configuration', position: 0 }]);
    // The first process was only slow.
    await evaluations.record(claimed, { side: 'configuration', position: 0, outcome }, 60);
    expect(await evaluations.summary(tenant.scope, id)).toMatchObject({
      done: 1,
      questionCount: 2,
      state: 'running',
    });
  });

  it('limits the unfinished evaluations of an organization, also of requests at once', async () => {
    const created = await Promise.all([1, 2, 3, 4].map(() => evaluations.create(tenant.scope, fields, 2)));
    expect(created.filter(({ ok }) => ok)).toHaveLength(2);
    const other = await TestTenant.create(dataSource);
    expect(await evaluations.create(other.scope, fields, 2)).toMatchObject({ ok: true });
  });

  it('keeps the result, and records nothing for an evaluation that was deleted', async () => {
    const id = valueOf(await evaluations.create(tenant.scope, fields, 3));
    const claimed = await evaluations.claim(60);
    await evaluations.finish(id, { result: null, error: { code: 'NOT_FOUND', message: 'Gone.' } });
    expect(await evaluations.summary(tenant.scope, id)).toMatchObject({
      state: 'failed',
      error: { code: 'NOT_FOUND', message: 'Gone.' },
    });
    expect(await evaluations.claim(60)).toBeNull();
    await evaluations.remove(tenant.scope, id);
    if (claimed) await evaluations.record(claimed, { side: 'baseline', position: 1, outcome }, 60);
    expect(await evaluations.outcomes(tenant.scope, id)).toEqual([]);
  });

  it('keeps the newest 100', async () => {
    for (let count = 0; count < 102; count += 1) {
      const id = valueOf(await evaluations.create(tenant.scope, fields, 3));
      await evaluations.finish(id, { result: null, error: null });
    }
    expect((await evaluations.list(tenant.scope, { limit: 200 })).length).toBe(100);
  });
});
