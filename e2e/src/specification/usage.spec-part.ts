import {
  type BudgetState,
  budgetStateSchema,
  modelPricesStateSchema,
  type UsageShare,
  usageShareSchema,
  usageTotalsSchema,
} from '@citewell/contracts/schemas';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { BrowserSession } from '../client/browser-session.js';
import { Tenant, until } from '../client/tenant.js';
import { type SpecificationPart, WITH_MODEL } from './describe-specification.js';

const PASSWORD = 'correct horse battery';
const MODEL = 'test-chat';
const PRICES = { currency: 'EUR', models: [{ model: MODEL, inputPerMillion: '1', outputPerMillion: '2.5' }] };

/** What people and agents have used, its cost, and monthly budgets. */
export const usageShares: SpecificationPart = (fixture) => {
  let tenant: Tenant;
  let agent: string;
  beforeEach(async () => {
    tenant = await Tenant.create(fixture().deployment, 'Metered');
    ({ id: agent } = await tenant.agent({ modelName: WITH_MODEL }));
  });

  const shares = async (by: 'person' | 'agent' | 'day'): Promise<UsageShare[]> =>
    (await tenant.api.get(`/usage/breakdown?by=${by}`)).as(z.array(usageShareSchema.strict()));
  const setPrices = async (prices: unknown = PRICES) => tenant.api.put('/usage/prices', prices);
  const setBudgets = async (...budgets: unknown[]): Promise<BudgetState[]> =>
    (await tenant.api.put('/usage/budgets', { budgets })).as(z.array(budgetStateSchema.strict()));
  const question = (query = 'Hello?') => tenant.api.post(`/agents/${agent}/query`, { query });

  describe('usage by person and agent', () => {
    it('is what the answers say, with its cost', async () => {
      expect(await shares('person')).toEqual([]);
      (await setPrices()).assertOk();
      const answers = [await tenant.ask(agent, 'One?'), await tenant.ask(agent, 'Two?')];
      const tokens = (kind: 'inputTokens' | 'outputTokens'): number =>
        answers.reduce((sum, { usage }) => sum + (usage?.[kind] ?? 0), 0);
      const [input, output] = [tokens('inputTokens'), tokens('outputTokens')];
      const [share, ...others] = await shares('person');
      expect(others).toEqual([]);
      expect(share).toMatchObject({
        kind: 'key',
        questions: 2,
        inputTokens: input,
        outputTokens: output,
        estimatedTokens: 0,
        unpricedTokens: 0,
        costs: [{ currency: 'EUR', amount: String((input * 1_000_000 + output * 2_500_000) / 1e12) }],
      });
      expect(await shares('agent')).toMatchObject([
        { kind: 'agent', id: agent, name: 'Agent', questions: 2 },
      ]);
      const today = new Date().toISOString().slice(0, 10);
      expect(await shares('day')).toMatchObject([{ kind: 'day', id: today, questions: 2 }]);
    });

    it('has no cost of a model without a price', async () => {
      (await setPrices({ ...PRICES, models: [] })).assertOk();
      await tenant.ask(agent, 'One?');
      const [share] = await shares('agent');
      expect(share).toMatchObject({ costs: [] });
      expect(share?.unpricedTokens).toBe((share?.inputTokens ?? 0) + (share?.outputTokens ?? 0));
      expect(share?.unpricedTokens).toBeGreaterThan(0);
    });

    it('is counted for the person who asks, who sees it', async () => {
      const invited = await tenant.invite('member');
      const browser = new BrowserSession(tenant.api.baseUrl);
      (
        await browser.call('POST', '/session', { token: invited.token, password: PASSWORD, name: 'Ada' })
      ).assertOk();
      const own = async () => (await browser.call('GET', '/usage/own')).as(usageTotalsSchema.strict());
      expect(await own()).toMatchObject({ questions: 0, costs: [] });
      (await browser.call('POST', `/agents/${agent}/query`, { query: 'Hello?' })).assertOk();
      await tenant.ask(agent, 'With a key.');
      expect(await own()).toMatchObject({ questions: 1 });
      const all = await shares('person');
      expect(all.map(({ kind, name }) => [kind, name]).toSorted()).toEqual([
        ['key', 'First key'],
        ['person', 'Ada'],
      ]);
      (await browser.call('GET', '/usage/breakdown')).assertError('FORBIDDEN');
      (await tenant.api.get('/usage/own')).assertError('FORBIDDEN');
    });

    it('has the tokens of an answer that its client leaves, which nobody reports', async () => {
      fixture().model.next({ kind: 'chat', deltas: ['Two ', 'hours.'], end: 'hang' });
      const aborter = new AbortController();
      const response = await tenant.api.open('POST', `/agents/${agent}/query`, {
        json: { query: 'How long?', streaming: true },
        signal: aborter.signal,
      });
      let text = '';
      for await (const piece of response.body ?? []) {
        text += Buffer.from(piece).toString();
        if (text.includes('event: answer')) break;
      }
      aborter.abort();
      await until(async () => (await shares('person')).length > 0, 'the answer to be counted');
      const [share] = await shares('person');
      expect(share?.questions).toBe(1);
      expect(share?.inputTokens).toBeGreaterThan(10);
      expect(share?.outputTokens).toBeGreaterThan(0);
      expect(share?.estimatedTokens).toBe((share?.inputTokens ?? 0) + (share?.outputTokens ?? 0));
    });

    it('has the tokens of an answer that fails after its beginning, but no question', async () => {
      fixture().model.next({ kind: 'chat', deltas: ['Two hours.'], end: 'error-frame' });
      (await question()).assertError('UPSTREAM_UNAVAILABLE');
      const [share] = await shares('person');
      expect(share).toMatchObject({ questions: 0 });
      expect(share?.estimatedTokens).toBeGreaterThan(0);
    });

    it('has nothing of a question that no model was asked', async () => {
      fixture().model.next({ kind: 'error', status: 500 });
      (await question()).assertError('UPSTREAM_UNAVAILABLE');
      expect(await shares('person')).toEqual([]);
    });

    it('has questions that are answered with quotes', async () => {
      const { id } = await tenant.agent();
      await tenant.ask(id, 'Hello?');
      expect(await shares('agent')).toMatchObject([{ id, questions: 1, inputTokens: 0, unpricedTokens: 0 }]);
    });

    it.each(['?by=week', '?from=2026-1-1', '?from=2026-02-01&to=2026-01-01', '?months=1'])(
      'refuses %s',
      async (query) => {
        (await tenant.api.get(`/usage/breakdown${query}`)).assertError('INVALID_REQUEST');
      },
    );
  });

  describe('prices', () => {
    it('are replaced as a whole', async () => {
      const read = async () => (await tenant.api.get('/usage/prices')).as(modelPricesStateSchema.strict());
      expect(await read()).toEqual({ currency: null, models: [] });
      (await setPrices()).assertOk();
      expect(await read()).toEqual(PRICES);
      (await setPrices({ ...PRICES, currency: 'USD', models: [] })).assertOk();
      expect(await read()).toEqual({ currency: null, models: [] });
    });

    it.each([
      ['a currency in small letters', { ...PRICES, currency: 'eur' }],
      ['a negative price', { ...PRICES, models: [{ ...PRICES.models[0], inputPerMillion: '-1' }] }],
      ['a number', { ...PRICES, models: [{ ...PRICES.models[0], inputPerMillion: 0.1 }] }],
      ['seven decimals', { ...PRICES, models: [{ ...PRICES.models[0], inputPerMillion: '0.0000001' }] }],
      ['an exponent', { ...PRICES, models: [{ ...PRICES.models[0], inputPerMillion: '1e3' }] }],
      ['a model twice', { ...PRICES, models: [PRICES.models[0], PRICES.models[0]] }],
      ['a model without a name', { ...PRICES, models: [{ ...PRICES.models[0], model: ' ' }] }],
    ])('refuse %s', async (_, prices) => {
      (await setPrices(prices)).assertError('INVALID_REQUEST');
    });
  });

  describe('budgets', () => {
    const OF_ALL = { subject: 'organization', measure: 'questions', amount: '1' };

    it('stop questions before a model is asked, in every way, and let them through when they are raised', async () => {
      expect(await setBudgets(OF_ALL)).toMatchObject([
        { used: '0', state: 'ok', warnPercent: 80, name: null },
      ]);
      await tenant.ask(agent, 'Hello?');
      const path = `/agents/${agent}/query`;
      await until(async () => (await question()).status === 402, 'the budget to be used up', 5_000);
      const { model } = fixture();
      const before = model.requests.length;
      const refused = await tenant.api.post(path, { query: 'Hello?', streaming: true, resumable: true });
      expect(refused.assertError('USAGE_LIMIT').message).toMatch(/budget of this month/);
      const { origin } = new URL(tenant.api.baseUrl);
      const headers = { authorization: `Bearer ${tenant.api.key}`, 'content-type': 'application/json' };
      const messages = [{ role: 'user', content: 'Hello?' }];
      const body = JSON.stringify({ model: agent, messages });
      const openai = await fetch(`${origin}/v1/chat/completions`, { method: 'POST', headers, body });
      expect([openai.ok, await openai.text()]).toEqual([
        false,
        expect.stringContaining('budget of this month'),
      ]);
      expect(model.requests.length).toBe(before);
      const [state] = (await tenant.api.get('/usage/budgets')).as(z.array(budgetStateSchema.strict()));
      expect(state).toMatchObject({ state: 'reached' });
      await setBudgets({ ...OF_ALL, amount: '1000' });
      await tenant.ask(agent, 'Hello?');
    });

    it('of questions are never exceeded by questions at the same moment', async () => {
      await setBudgets({ ...OF_ALL, measure: 'questions', amount: '3' });
      fixture().model.next({ kind: 'error', status: 500 });
      (await question()).assertError('UPSTREAM_UNAVAILABLE');
      const answered = await Promise.all(
        Array.from({ length: 10 }, async () => {
          for (let answers = 0; ; answers += 1) {
            const { status } = await question();
            if (status !== 200) return [answers, status];
          }
        }),
      );
      expect(answered.reduce((sum, [answers = 0]) => sum + answers, 0)).toBe(3);
      expect(new Set(answered.map(([, status]) => status))).toEqual(new Set([402]));
      const [state] = (await tenant.api.get('/usage/budgets')).as(z.array(budgetStateSchema.strict()));
      expect(state).toMatchObject({ used: '3', state: 'reached' });
    });

    it('of a person stop nobody else', async () => {
      const invited = await tenant.invite('member');
      const browser = new BrowserSession(tenant.api.baseUrl);
      (await browser.call('POST', '/session', { token: invited.token, password: PASSWORD })).assertOk();
      await setBudgets({ ...OF_ALL, subject: 'person', subjectId: invited.id, amount: '0' });
      const refused = await browser.call('POST', `/agents/${agent}/query`, { query: 'Hello?' });
      expect(refused.assertError('USAGE_LIMIT').message).toMatch(/^You have/);
      await tenant.ask(agent, 'Hello?');
    });

    it.each([
      ['a budget of the organization with an id', { ...OF_ALL, subjectId: 'x' }, 'INVALID_REQUEST'],
      ['an amount that is a number', { ...OF_ALL, amount: 1 }, 'INVALID_REQUEST'],
      ['another measure', { ...OF_ALL, measure: 'words' }, 'INVALID_REQUEST'],
      ['a warning at 0 %', { ...OF_ALL, warnPercent: 0 }, 'INVALID_REQUEST'],
      ['an unknown person', { ...OF_ALL, subject: 'person', subjectId: 'x' }, 'NOT_FOUND'],
    ] as const)('refuse %s', async (_, budget, code) => {
      (await tenant.api.put('/usage/budgets', { budgets: [budget] })).assertError(code);
    });

    it('refuse the same budget twice', async () => {
      (await tenant.api.put('/usage/budgets', { budgets: [OF_ALL, OF_ALL] })).assertError('INVALID_REQUEST');
    });
  });
};
