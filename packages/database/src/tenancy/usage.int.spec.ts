import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { AgentRepository } from '../answering/agent.repository.js';
import { newId } from '../connection/new-id.js';
import { done, refuse } from '../connection/result.js';
import { TenantScope } from '../connection/tenant-scope.js';
import { valueOf } from '../fixtures/result.fixtures.js';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { PersonRepository } from '../identity/people/person.repository.js';
import { BudgetRepository, type NewBudget } from './budget.repository.js';
import { OrganizationRepository } from './organization.repository.js';
import { NO_ID, UsageRecordRepository, type UsedByAnswer } from './usage-record.repository.js';
import { UsageRepository } from './usage.repository.js';

const PRICES = {
  currency: 'EUR',
  models: [{ model: 'm', inputPerMillion: '0.15', outputPerMillion: '0.6' }],
};

describe('usage', () => {
  const server = new TestServer();
  let dataSource: DataSource;
  let records: UsageRecordRepository;
  let budgets: BudgetRepository;
  let owner: TestTenant;
  let person: string;
  let agent: string;
  beforeAll(async () => {
    dataSource = await server.database();
    records = new UsageRecordRepository(dataSource);
    budgets = new BudgetRepository(dataSource);
  });
  beforeEach(async () => {
    owner = await TestTenant.create(dataSource);
    ({ id: person } = await new PersonRepository(dataSource).firstOwner(owner.organizationId));
    ({
      agent: { id: agent },
    } = await new AgentRepository(dataSource).create(owner.scope, { name: 'Desk' }, [owner.datastoreId]));
  });
  afterAll(() => server.close());

  const answer = (fields: Partial<UsedByAnswer> = {}, by = records) =>
    by.record(owner.scope, {
      actorKind: 'person',
      actorId: person,
      agentId: agent,
      model: 'm',
      questions: 1,
      inputTokens: 1_000,
      outputTokens: 10,
      estimatedTokens: 0,
      ...fields,
    });
  const shares = (by: 'person' | 'agent' | 'day' = 'person') => records.breakdown(owner.scope, by, {});

  it('counts each answer once, in several processes at the same time', async () => {
    const processes = [records, new UsageRecordRepository(dataSource), new UsageRecordRepository(dataSource)];
    const actors = [person, NO_ID, newId()];
    await Promise.all(
      Array.from({ length: 150 }, (_, n) =>
        answer({ actorId: actors[n % 3] ?? '' }, processes[n % 2 === 0 ? 0 : n % 3]),
      ),
    );
    const all = await shares();
    expect(
      all.map(({ questions, inputTokens, outputTokens }) => [questions, inputTokens, outputTokens]),
    ).toEqual(Array.from({ length: 3 }, () => [50, 50_000, 500]));
    const [month] = await new UsageRepository(dataSource).history(owner.scope, 1);
    expect(month).toMatchObject({ agentQueries: 0, inputTokens: 150_000, outputTokens: 1_500 });
  });

  it('costs what the price at the time of the answer says, exactly', async () => {
    await answer();
    await budgets.setPrices(owner.scope, PRICES);
    for (let n = 0; n < 3; n += 1) await answer({ inputTokens: 1, outputTokens: 1 });
    await budgets.setPrices(owner.scope, {
      currency: 'USD',
      models: [{ model: 'm', inputPerMillion: '123456789012.123456', outputPerMillion: '0' }],
    });
    await answer({ inputTokens: 3, outputTokens: 0, estimatedTokens: 3 });
    expect(await shares('agent')).toEqual([
      {
        kind: 'agent',
        id: agent,
        name: 'Desk',
        questions: 5,
        inputTokens: 1_006,
        outputTokens: 13,
        estimatedTokens: 3,
        costs: [
          { currency: 'EUR', amount: '0.00000225' },
          { currency: 'USD', amount: '370370.367036370368' },
        ],
        // The cost of the first answer is not known.
        unpricedTokens: 1_010,
      },
    ]);
  });

  it('has no cost without a price, and knows that nothing was paid for quotes', async () => {
    await budgets.setPrices(owner.scope, PRICES);
    await answer({ model: 'other' });
    await answer({ model: 'M' });
    await answer({ model: '', inputTokens: 0, outputTokens: 0 });
    expect(await shares()).toMatchObject([{ questions: 3, costs: [], unpricedTokens: 2_020 }]);
  });

  it('is read by person, by agent, by day, and by oneself', async () => {
    await answer();
    await answer({ actorKind: 'system', actorId: NO_ID, agentId: newId(), inputTokens: 5 });
    await answer({ actorKind: 'key', actorId: newId(), questions: 0, inputTokens: 1 });
    expect((await shares()).map(({ kind, id }) => [kind, id])).toEqual([
      ['person', person],
      ['system', null],
      ['key', expect.any(String)],
    ]);
    expect((await shares('agent')).map(({ name, questions }) => [name, questions])).toEqual([
      ['Desk', 1],
      [null, 1],
    ]);
    const [today] = await shares('day');
    expect(today).toMatchObject({
      kind: 'day',
      id: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      questions: 2,
    });
    expect(await records.ofPerson(owner.scope, person, {})).toMatchObject({
      questions: 1,
      inputTokens: 1_000,
    });
    expect(await records.ofPerson(owner.scope, newId(), {})).toEqual({
      questions: 0,
      inputTokens: 0,
      outputTokens: 0,
      estimatedTokens: 0,
      costs: [],
      unpricedTokens: 0,
    });
    expect(await records.breakdown(owner.scope, 'day', { from: '2000-01-01', to: '2000-12-31' })).toEqual([]);
  });

  it('is of one organization', async () => {
    await answer();
    await budgets.setPrices(owner.scope, PRICES);
    const stranger = await TestTenant.create(dataSource);
    await budgets.setPrices(stranger.scope, { currency: 'USD', models: [] });
    expect(await records.breakdown(stranger.scope, 'person', {})).toEqual([]);
    expect(await records.ofPerson(stranger.scope, person, {})).toMatchObject({ questions: 0 });
    expect(await budgets.prices(owner.scope)).toHaveLength(1);
    const stolen: NewBudget = {
      subjectKind: 'person',
      subjectId: person,
      measure: 'questions',
      amount: '1',
      warnPercent: 80,
    };
    expect(await budgets.setBudgets(stranger.scope, [stolen])).toEqual(refuse('unknown-subject'));
    expect(await budgets.setBudgets(owner.scope, [{ ...stolen, subjectKind: 'agent' }])).toEqual(
      refuse('unknown-subject'),
    );
    expect(await budgets.setBudgets(owner.scope, [{ ...stolen, subjectId: 'x' }])).toEqual(
      refuse('unknown-subject'),
    );
    expect(await budgets.setBudgets(owner.scope, [stolen])).toEqual(done());
    expect(await budgets.states(stranger.scope)).toEqual([]);
    expect(await budgets.reserve(stranger.scope, agent)).toEqual(done(null));
  });

  it('goes with its organization', async () => {
    await answer();
    const organizations = new OrganizationRepository(dataSource);
    await organizations.markDeleted(owner.organizationId);
    await answer();
    await organizations.removeDeleted();
    expect(await shares()).toEqual([]);
  });

  describe('a budget', () => {
    const other = newId();
    const set = (...list: (Partial<NewBudget> & Pick<NewBudget, 'measure' | 'amount'>)[]) =>
      budgets.setBudgets(
        owner.scope,
        list.map((budget) => ({ subjectKind: 'organization', subjectId: null, warnPercent: 80, ...budget })),
      );
    const scopeOf = (personId: string) => new TenantScope(owner.organizationId, { personId, role: 'member' });
    const reached = async (kind: 'person' | 'agent', id: string) =>
      (await (kind === 'agent'
        ? budgets.reached(owner.scope, id)
        : budgets.reached(scopeOf(id), newId()))) === kind;
    const ofAll = async () => (await budgets.reached(owner.scope, newId())) === 'organization';
    const states = async () => (await budgets.states(owner.scope)).map(({ used, state }) => [used, state]);

    it.each<[measure: NewBudget['measure'], amount: string, used: string, states: string[]]>([
      ['questions', '10', '8', ['ok', 'warning']],
      ['questions', '8', '8', ['warning', 'reached']],
      ['questions', '0', '8', ['reached', 'reached']],
      ['tokens', '8080', '8080', ['warning', 'reached']],
      ['tokens', '8080.000001', '8080', ['warning', 'warning']],
      ['cost', '0.001248', '0.001248', ['warning', 'reached']],
      ['cost', '0.001249', '0.001248', ['warning', 'warning']],
    ])('of %s %s', async (measure, amount, used, [before, after]) => {
      await budgets.setPrices(owner.scope, PRICES);
      await set({ measure, amount });
      for (let n = 0; n < 7; n += 1) await answer();
      expect((await states())[0]?.[1]).toBe(before);
      expect(await ofAll()).toBe(before === 'reached');
      await answer();
      expect(await states()).toEqual([[used, after]]);
      expect(await ofAll()).toBe(after === 'reached');
    });

    it('of a person or an agent is about nobody else', async () => {
      await set(
        { subjectKind: 'person', subjectId: person, measure: 'questions', amount: '1' },
        { subjectKind: 'agent', subjectId: agent, measure: 'questions', amount: '3' },
      );
      await answer({ actorId: other });
      await answer();
      expect([await reached('person', person), await reached('person', other)]).toEqual([true, false]);
      expect([await reached('agent', agent), await ofAll()]).toEqual([false, false]);
      await answer({ actorKind: 'key', actorId: newId() });
      expect([await reached('agent', agent), await reached('agent', other)]).toEqual([true, false]);
      expect(await states()).toEqual([
        ['1', 'reached'],
        ['3', 'reached'],
      ]);
    });

    it('of each person is about everyone alone, and shows who has used most', async () => {
      await set({ subjectKind: 'person', measure: 'questions', amount: '2' });
      await answer({ actorId: other });
      for (let n = 0; n < 2; n += 1) await answer();
      expect([await reached('person', person), await reached('person', other)]).toEqual([true, false]);
      expect(await states()).toEqual([['2', 'reached']]);
    });

    it('of questions is reserved by questions in progress of all processes, and never exceeded', async () => {
      await set({ measure: 'questions', amount: '3' });
      const processes = [budgets, new BudgetRepository(dataSource)];
      const loop = async (n: number): Promise<number> => {
        for (let answered = 0; ; answered += 1) {
          const reserved = await processes[n % 2]?.reserve(owner.scope, agent);
          if (!reserved?.ok) return answered;
          await answer({ reservationId: reserved.value });
        }
      };
      const loops = await Promise.all(Array.from({ length: 20 }, (_, n) => loop(n)));
      expect(loops.reduce((sum, answered) => sum + answered, 0)).toBe(3);
      expect(await states()).toEqual([['3', 'reached']]);
    });

    it('is free again when a question is released, fails, or its process was killed', async () => {
      await set(
        { measure: 'questions', amount: '2' },
        { subjectKind: 'person', measure: 'questions', amount: '1' },
        { subjectKind: 'agent', subjectId: agent, measure: 'questions', amount: '1' },
      );
      const reserve = (scope: TenantScope, of = agent) => budgets.reserve(scope, of);
      const taken = done(expect.any(String));
      const first = await reserve(scopeOf(person), newId());
      expect(first).toEqual(taken);
      expect(await reserve(scopeOf(person))).toEqual(refuse('person'));
      const second = await reserve(owner.scope);
      expect([second, await reserve(owner.scope, newId())]).toEqual([taken, refuse('organization')]);
      await budgets.release(owner.scope, valueOf(first) ?? '');
      expect(await reserve(owner.scope)).toEqual(refuse('agent'));
      const reservationId = valueOf(second);
      await answer({ questions: 0, inputTokens: 0, outputTokens: 0, reservationId });
      expect(await shares()).toEqual([]);
      expect(await reserve(owner.scope)).toEqual(taken);
      await dataSource.query(`UPDATE usage_reservations SET expires_at = now()`);
      expect(await reserve(scopeOf(person))).toEqual(taken);
      expect(await dataSource.query(`SELECT count(*)::int AS rows FROM usage_reservations`)).toEqual([
        { rows: 1 },
      ]);
    });

    it('does not count the months before', async () => {
      await set({ measure: 'questions', amount: '1' });
      await answer();
      await dataSource.query(
        `UPDATE usage_days SET day = date_trunc('month', now() AT TIME ZONE 'utc')::date - 1 WHERE organization_id = $1`,
        [owner.organizationId],
      );
      expect([await ofAll(), await states()]).toEqual([false, [['0', 'ok']]]);
    });

    it('of costs says which tokens it does not know the cost of', async () => {
      await budgets.setPrices(owner.scope, PRICES);
      await set({ measure: 'cost', amount: '1' }, { measure: 'tokens', amount: '1' });
      await answer({ model: 'other' });
      const unpriced = (await budgets.states(owner.scope)).map(({ unpricedTokens }) => unpricedTokens);
      expect(unpriced).toEqual([1_010, 0]);
    });

    it('is replaced with all others', async () => {
      await set({ measure: 'questions', amount: '1' });
      await answer();
      expect(await ofAll()).toBe(true);
      await set({ measure: 'questions', amount: '2' });
      expect(await ofAll()).toBe(false);
      await set();
      expect([await budgets.reserve(owner.scope, agent), await ofAll()]).toEqual([done(null), false]);
    });
  });
});
