import { evaluationSchema } from '@citewell/contracts/schemas';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { SpecificationPart } from './describe-specification.js';

const CSV = [
  'question,expected,document,answerable',
  'When is kelp harvested?,in spring,,',
  'How high are the tides?,,tides,',
  'Who invented the telephone?,,,no',
].join('\n');

export const evaluations: SpecificationPart = (fixture) => {
  describe('evaluations', () => {
    async function library() {
      const { alice } = fixture();
      const { id: datastoreId } = await alice.datastore();
      await alice.text(datastoreId, 'Kelp is harvested in spring.', { name: 'kelp' });
      await alice.text(datastoreId, 'The tides are four metres high.', { custom_id: 'tides' });
      const { id: agentId } = await alice.agent({ datastoreIds: [datastoreId] });
      return { alice, datastoreId, agentId };
    }

    it('measure an agent, question by question', async () => {
      const { alice, agentId } = await library();
      const evaluation = await alice.evaluate({ agentId }, { csv: CSV, name: 'Sea' });
      expect(evaluation).toMatchObject({
        name: 'Sea',
        state: 'done',
        questions: 3,
        done: 3,
        total: 3,
        error: null,
      });
      expect(evaluation.result?.configuration.measures).toMatchObject({
        recallAt1: { value: 1, count: 2 },
        mrr: { value: 1, count: 2 },
        ndcgAt10: { value: 1, count: 2 },
        citedRight: { value: 1, count: 2 },
        wronglyRefused: { value: 0, count: 2 },
        recognised: { value: 1, count: 1 },
      });
      expect(evaluation.outcomes.map(({ configuration: { rank, refused } }) => [rank, refused])).toEqual([
        [1, false],
        [1, false],
        [null, true],
      ]);
      // Nothing is added to the conversations of the agent.
      expect((await alice.api.get(`/conversations?agentId=${agentId}`)).json).toEqual([]);
    });

    it('measure a datastore without answers, and compare two configurations', async () => {
      const { alice, datastoreId } = await library();
      const csv = `${CSV}\nWho is the emperor of whales?,,gone.md,`;
      const { result } = await alice.evaluate(
        { datastoreId, minScore: 1 },
        { csv, baseline: { datastoreId } },
      );
      // A wrong name of a document must not look like a bad search.
      expect(result?.configuration.missingDocuments).toEqual({ count: 1, names: ['gone.md'] });
      expect(result?.configuration.measures).toMatchObject({
        citedRight: null,
        wronglyRefused: { value: 1 },
      });
      expect(result?.comparison).toMatchObject({
        verdict: 'no-difference',
        differences: { wronglyRefused: { better: 2, worse: 0, equal: 1, p: 0.5, isSignificant: false } },
      });
    });

    it('have a report, once they are done', async () => {
      const { alice, datastoreId } = await library();
      const { id } = await alice.evaluate({ datastoreId }, { csv: CSV });
      const report = await alice.api.get(`/evaluations/${id}/report`);
      expect(report.text).toMatch(/^<!doctype html>[^]*When is kelp harvested\?[^]*<\/html>/);
      expect(report.headers.get('content-security-policy')).toContain('sandbox');
    });

    it('fail with a reason if the agent is deleted', async () => {
      const { alice, datastoreId } = await library();
      const agent = await alice.agent({ datastoreIds: [datastoreId] });
      (await alice.api.post('/evaluations', { configuration: { agentId: 'x' }, csv: CSV })).assertError(
        'NOT_FOUND',
      );
      const created = (
        await alice.api.post('/evaluations', { configuration: { agentId: agent.id }, csv: many(2_000) })
      ).as(evaluationSchema.strict());
      await alice.api.delete(`/agents/${agent.id}`);
      const ended = await alice.evaluationEnd(created.id);
      expect(ended).toMatchObject({
        state: 'failed',
        error: { code: 'NOT_FOUND' },
        result: null,
        outcomes: [],
      });
      (await alice.api.get(`/evaluations/${created.id}/report`)).assertError('CONFLICT');
    });

    it('are limited in number, and can be deleted while they run', async () => {
      const { alice, datastoreId } = await library();
      const body = { configuration: { datastoreId }, csv: many(2_000) };
      const ids: string[] = [];
      for (let count = 0; count < 3; count += 1)
        ids.push((await alice.api.post('/evaluations', body)).as(evaluationSchema.strict()).id);
      (await alice.api.post('/evaluations', body)).assertError('RATE_LIMIT');
      for (const id of ids) (await alice.api.delete(`/evaluations/${id}`)).as(evaluationSchema.strict());
      const listed = (await alice.api.get('/evaluations')).as(z.array(evaluationSchema.strict()));
      expect(listed.filter(({ id }) => ids.includes(id))).toEqual([]);
    });

    it('refuse sets that are not clear', async () => {
      const { alice, datastoreId } = await library();
      const post = (body: object) =>
        alice.api.post('/evaluations', { configuration: { datastoreId }, ...body });
      for (const body of [
        {},
        { csv: CSV, questions: [{ question: 'Who?', answerable: false }] },
        { csv: 'question\nWho?' },
        { questions: [] },
        { questions: [{ question: 'Who?' }] },
        { questions: [{ question: 'Who?', answerable: false, expected: ['I'] }] },
        { csv: CSV, configuration: {} },
        { csv: CSV, configuration: { datastoreId, agentId: 'x' } },
      ])
        (await post(body)).assertError('INVALID_REQUEST');
    });
  });
};

/** A set of questions without an answer. */
function many(count: number): string {
  return `question,answerable\n${Array.from({ length: count }, (_, n) => `Who is number ${n}?,no`).join('\n')}`;
}
