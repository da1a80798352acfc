import type { EvaluationOutcome } from '@citewell/contracts/schemas';
import type { EvaluationEntity, EvaluationRepository, RecordedOutcome } from '@citewell/database';
import type { Logger } from '@citewell/observability';
import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../http/api-error.js';
import type { EvaluationAsker } from './evaluation-asker.service.js';
import { EvaluationRunner } from './evaluation-runner.service.js';

const outcome: EvaluationOutcome = { rank: 1, score: 1, refused: false, values: { mrr: 1 }, passages: [] };
const logger = { warn: () => undefined } as unknown as Logger;

/** One evaluation in memory, and what the asker does with its questions, in turn. */
function setUp(answers: (EvaluationOutcome | Error)[], fields: Partial<EvaluationEntity> = {}) {
  const recorded: RecordedOutcome[] = [];
  const ends: unknown[] = [];
  const releases: number[] = [];
  const asked: string[] = [];
  const evaluation = {
    id: 'e',
    organizationId: 'o',
    personId: null,
    configuration: { agentId: 'a' },
    baseline: null,
    questions: ['one', 'two', 'three'].map((question) => ({ question, answerable: false })),
    attempts: 1,
    ...fields,
  };
  const repository = {
    claim: async () => evaluation,
    answered: async () => recorded,
    record: async (_: unknown, step: RecordedOutcome) => recorded.push(step),
    release: async (_: string, afterSeconds: number) => releases.push(afterSeconds),
    finish: async (_: string, end: unknown) => ends.push(end),
    outcomes: async () => recorded,
    addDatastores: async () => undefined,
  };
  const asker = {
    target: async () => ({ datastores: [], minScore: 0.5 }),
    missingDocuments: async () => ({ count: 0, names: [] }),
    ask: async (
      _: unknown,
      __: unknown,
      { question }: { question: string },
      { isLeftOut }: { isLeftOut: (error: unknown) => boolean },
    ) => {
      asked.push(question);
      const answer = answers.shift() ?? outcome;
      if (!(answer instanceof Error)) return answer;
      if (!isLeftOut(answer)) throw answer;
      return { ...outcome, refused: true };
    },
  };
  // Only these methods are used.
  const runner = new EvaluationRunner(
    repository as unknown as EvaluationRepository,
    asker as unknown as EvaluationAsker,
    { find: async () => null },
    logger,
  );
  return { runner, recorded, ends, releases, asked };
}

describe('EvaluationRunner', () => {
  it('asks every question of both configurations, and computes the result', async () => {
    const { runner, recorded, ends } = setUp([], { baseline: { agentId: 'b' } });
    await runner.workOnOne();
    expect(recorded.map(({ side, position }) => `${side} ${position}`)).toEqual([
      'configuration 0',
      'baseline 0',
      'configuration 1',
      'baseline 1',
      'configuration 2',
      'baseline 2',
    ]);
    expect(ends).toMatchObject([{ error: null, result: { comparison: { verdict: 'no-difference' } } }]);
  });

  it('goes on after the last answered question', async () => {
    const { runner, recorded, asked } = setUp([]);
    recorded.push({ side: 'configuration', position: 0, outcome });
    await runner.workOnOne();
    expect(asked).toEqual(['two', 'three']);
  });

  it.each<[string, Error, Partial<EvaluationEntity>, number[], unknown[]]>([
    [
      'tries a question again later if the model cannot be reached',
      new ApiError('UPSTREAM_UNAVAILABLE', 'Later.', { retryAfterSeconds: 7 }),
      {},
      [7],
      [],
    ],
    ['waits longer after each failure', new ApiError('RATE_LIMIT', 'Later.'), { attempts: 4 }, [16], []],
    [
      'says why it failed if the agent is gone',
      new ApiError('NOT_FOUND', 'There is no such agent.'),
      {},
      [],
      [{ result: null, error: { code: 'NOT_FOUND', message: 'There is no such agent.' } }],
    ],
    [
      'gives up after twenty failures',
      new ApiError('UPSTREAM_UNAVAILABLE', 'The model cannot be reached.'),
      { attempts: 20 },
      [],
      [{ result: null, error: { code: 'UPSTREAM_UNAVAILABLE', message: 'The model cannot be reached.' } }],
    ],
  ])('%s', async (_, error, fields, releases, ends) => {
    const run = setUp([error], fields);
    await run.runner.workOnOne();
    expect([run.releases, run.ends, run.recorded]).toEqual([releases, ends, []]);
  });

  it.each<[string, ApiError, number, boolean]>([
    ['an empty answer at once', new ApiError('EMPTY_ANSWER', 'Nothing.'), 1, true],
    ['a failing model after three attempts', new ApiError('UPSTREAM_UNAVAILABLE', 'Later.'), 3, true],
    ['no failing model before', new ApiError('UPSTREAM_UNAVAILABLE', 'Later.'), 2, false],
    ['no agent that is gone', new ApiError('NOT_FOUND', 'Gone.'), 3, false],
  ])('leaves out %s', async (_, error, attempts, isLeftOut) => {
    const { runner, recorded } = setUp([error], { attempts });
    recorded.push({ side: 'configuration', position: 0, outcome });
    await runner.workOnOne();
    expect(recorded.map((step) => step.outcome.refused)).toEqual(isLeftOut ? [false, true, false] : [false]);
  });

  it('fails with the first question', async () => {
    const { runner, ends } = setUp([new ApiError('EMPTY_ANSWER', 'Nothing.')]);
    await runner.workOnOne();
    expect(ends).toMatchObject([{ error: { code: 'EMPTY_ANSWER' } }]);
  });

  it('does not ask again what has ended its process again and again', async () => {
    const { runner, ends, asked } = setUp([], { attempts: 21 });
    await runner.workOnOne();
    expect(asked).toEqual([]);
    expect(ends).toMatchObject([{ error: { code: 'INTERNAL' } }]);
  });

  it('gives an evaluation back when the process ends', async () => {
    const { runner, releases, ends } = setUp([]);
    await runner.beforeApplicationShutdown();
    await runner.workOnOne();
    expect([releases, ends]).toEqual([[0], []]);
  });
});
