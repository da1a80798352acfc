import type { Config } from '@citewell/config';
import type { AgentAnswer } from '@citewell/contracts/schemas';
import { ModelError } from '@citewell/models';
import type { Logger } from '@citewell/observability';
import { AnalyzedQuestion } from '@citewell/retrieval';
import { describe, expect, it } from '@jest/globals';
import type { AnswerSink } from './answer-filters.js';
import type { PreparedAnswer } from './answer-preparation.service.js';
import { AnswerWriter } from './answer-writer.service.js';
import { AnswersService } from './answers.service.js';
import type { WrittenAnswer } from './model-answer.js';

const QUESTION = new AnalyzedQuestion('How long is the warranty?');
const PASSAGE = {
  text: 'The warranty lasts two years.',
  header: '',
  runId: 'r',
  start: 0,
  end: 29,
  contentHash: 'h',
  headingPath: [],
  page: null,
  run: {
    sourceUrl: null,
    mimeType: null,
    customId: null,
    datasourceId: 'd',
    datasourceName: 'D',
    revision: 1,
  },
};

/** The answer of an agent that replaces unsupported answers by quotes, and the pieces that were sent. */
async function answerHeld(text: string, end: Partial<WrittenAnswer>) {
  const prepared = {
    tenant: { organizationId: 'o' },
    agent: { id: 'a', onUnsupported: 'quote' },
    query: {},
    question: QUESTION,
    model: {},
    isStored: false,
  } as unknown as PreparedAnswer;
  const grounding = {
    find: async () => ({
      passages: [PASSAGE],
      questions: [{ question: QUESTION, passages: [PASSAGE] }],
      isAbstained: false,
      language: 'en',
      changes: new Map(),
    }),
  };
  const writer = {
    write: async (_: unknown, __: unknown, sink: AnswerSink) => {
      await sink.onText(text);
      return { cited: new Set<number>(), passages: [PASSAGE], ...end };
    },
    quote: async (_: unknown, __: unknown, ___: unknown, onText: AnswerSink['onText']) => {
      await onText('Quotes.');
      return { cited: new Set([1]), quotes: new Map() };
    },
  };
  const service = new AnswersService(
    {} as never,
    grounding as never,
    writer as never,
    {} as never,
    {} as never,
    { count: async () => undefined },
  );
  let sent = '';
  const { signal } = new AbortController();
  const answer = await service.answer(prepared, async (piece) => void (sent += piece), signal);
  return { sent, answer: answer.answer, state: answer.state };
}

describe('an answer that quotes may replace', () => {
  it.each<[string, string, Partial<WrittenAnswer>, string, 'stopped' | undefined]>([
    [
      'supported: sent as it is',
      'The warranty lasts two years.',
      {},
      'The warranty lasts two years.',
      undefined,
    ],
    ['not supported: replaced', 'Bananas grow on the moon in spring.', {}, 'Quotes.', undefined],
    ['stopped before its end: nothing', 'Bananas grow on the moon in', { isStopped: true }, '', 'stopped'],
    ['stopped before its first word: nothing', '', { isStopped: true }, '', 'stopped'],
  ])('%s', async (_, written, end, text, state) => {
    expect(await answerHeld(written, end)).toEqual({ sent: text, answer: text, state });
  });
});

/** What a model does before it fails. */
type Beginning = 'sends nothing' | 'sends text' | 'retracts text';

/** An agent whose model fails, as its client sees it. */
async function answerOfFailing(
  beginning: Beginning,
  { isFound = true, ...fields }: Partial<PreparedAnswer> & { isFound?: boolean } = {},
) {
  const failure = new ModelError('permanent', 'The model provider rejected the key.', { reason: 'key' });
  const prepared = {
    tenant: { organizationId: 'o' },
    agent: { id: 'a', onUnsupported: 'mark' },
    query: {},
    question: QUESTION,
    model: { name: 'm' },
    history: [],
    visitorToken: null,
    isStored: false,
    ...fields,
  } as unknown as PreparedAnswer;
  const charged: boolean[] = [];
  let [sent, refunds] = ['', 0];
  const grounding = {
    // Without a model, passages need more relevance.
    find: async ({ model }: PreparedAnswer) => {
      const passages = model || isFound ? [PASSAGE] : [];
      return {
        passages,
        questions: [{ question: QUESTION, passages }],
        isAbstained: passages.length === 0,
        language: 'en',
        changes: new Map(),
      };
    },
  };
  const quoting = new AnswerWriter(
    { readAbove: async () => '' },
    { find: async () => [] },
    { offer: async () => null },
    { CONTEXT_TOKENS: 1_000 } as Config,
    { warn: () => undefined } as unknown as Logger,
  );
  const writer = {
    write: async (...args: Parameters<AnswerWriter['write']>) => {
      const [{ model }, , sink] = args;
      if (!model) return quoting.write(...args);
      if (beginning !== 'sends nothing') await sink.onText('The warranty lasts half a');
      if (beginning === 'retracts text') sink.onRetract();
      throw failure;
    },
    quote: quoting.quote.bind(quoting),
  };
  const service = new AnswersService(
    {} as never,
    grounding as never,
    writer as never,
    { refund: async () => void (refunds += 1) } as never,
    {} as never,
    { count: async ({ isCharged }) => void charged.push(isCharged) },
  );
  const { signal } = new AbortController();
  const answering = service.answer(prepared, async (piece) => void (sent += piece), signal);
  const outcome = await answering.catch((error: unknown) => error);
  return { outcome, failure, sent, isCharged: charged[0] === true && refunds === 0 };
}

describe('an answer whose model fails', () => {
  const QUOTE = '“The warranty lasts two years.” [1]';
  it.each<[string, Beginning, Partial<PreparedAnswer>, RegExp]>([
    ['before its first word', 'sends nothing', {}, /^The language model did not answer, .* settings\.$/],
    ['after text that it retracted', 'retracts text', {}, /^The language model did not answer/],
    [
      'while its text is held back',
      'sends text',
      { agent: { id: 'a', onUnsupported: 'quote' } as never },
      /^The language model did not answer/,
    ],
    [
      'for a visitor, who need not know',
      'sends nothing',
      { visitorToken: 't' },
      /^These passages match the question best:$/,
    ],
  ])('%s consists of quotes', async (_, beginning, fields, introduction) => {
    const { outcome, sent, isCharged } = await answerOfFailing(beginning, fields);
    const { answer, finishReason, sources } = outcome as AgentAnswer;
    expect(answer.split('\n\n')).toEqual([expect.stringMatching(introduction), QUOTE]);
    expect(sent.endsWith(answer)).toBe(true);
    expect([finishReason, sources.map(({ cited }) => cited), isCharged]).toEqual([
      'model_failed',
      [true],
      true,
    ]);
  });

  it.each<[string, Beginning, Parameters<typeof answerOfFailing>[1], string]>([
    ['after its first words, which are not mixed with quotes', 'sends text', {}, 'The warranty lasts half '],
    ['and nothing can be quoted', 'sends nothing', { isFound: false }, ''],
    ['and the answer is measured', 'sends nothing', { needsModel: true }, ''],
  ])('%s fails, and is not charged', async (_, beginning, fields, shown) => {
    const { outcome, failure, sent, isCharged } = await answerOfFailing(beginning, fields);
    expect([outcome, sent.slice(0, shown.length), isCharged]).toEqual([failure, shown, false]);
    expect(sent).not.toContain('“');
  });
});

describe('an answer without a model', () => {
  it.each([
    [false, /^No language model is configured/],
    [true, /^These passages match the question best:/],
  ])(
    'says that none is configured once a conversation (told before: %s)',
    async (knowsNoModel, beginning) => {
      const { outcome } = await answerOfFailing('sends nothing', { model: null, knowsNoModel });
      expect(outcome).toMatchObject({ answer: expect.stringMatching(beginning), finishReason: 'no_model' });
    },
  );
});
