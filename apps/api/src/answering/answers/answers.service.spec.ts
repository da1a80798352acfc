import { AnalyzedQuestion } from '@citewell/retrieval';
import { describe, expect, it } from '@jest/globals';
import type { PreparedAnswer } from './answer-preparation.service.js';
import type { AnswerSink } from './answer-filters.js';
import type { WrittenAnswer } from './model-answer.js';
import { AnswersService } from './answers.service.js';

const QUESTION = new AnalyzedQuestion('How long is the warranty?');
const PASSAGE = {
  text: 'The warranty lasts two years.',
  contentHash: 'h',
  headingPath: [],
  page: null,
  run: { sourceUrl: null, mimeType: null, customId: null, datasourceId: 'd', datasourceName: 'D' },
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
