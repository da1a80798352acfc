import type { Correction } from '../question/spelling.js';
import { abstention, correctionMessage, noModelMessage } from './answer-messages.js';
import { type Quote, quoteAnswer, type QuotedAnswer, quoteLine } from './quote-answer.js';
import type { AnalyzedQuestion } from '../question/analyzed-question.js';
import type { QuotablePassage } from './quote-passage.js';

/** A question of a message, with the passages that are relevant to it. */
export interface AskedQuestion {
  readonly question: AnalyzedQuestion;
  /** Words that were searched instead of those of the message. Default: none. */
  readonly corrections?: readonly Correction[];
  /** Numbers of the passages, from 1, best first. Empty: nothing relevant was found. */
  readonly numbers: readonly number[];
}

/** Quotes for all questions together; each gets at least one. */
const QUOTES = 3;

/**
 * Answers the questions of a message without a language model: {@link quoteAnswer} for one question; for several, each
 * question is repeated above its quotes, or above a sentence that nothing was found.
 *
 * @param passages in the order of their numbers
 * @param introduction what stands before the quotes. Default: `noModelMessage` of the first question
 */
export function quoteAnswers<P extends QuotablePassage>(
  questions: readonly AskedQuestion[],
  passages: readonly P[],
  introduction: string = noModelMessage(questions[0]?.question.text ?? ''),
): QuotedAnswer<P> {
  const [first] = questions;
  if (first === undefined) return { answer: introduction, quotes: [] };
  const corrections = questions.flatMap((asked) => asked.corrections ?? []);
  const corrected = corrections.map((correction) => correctionMessage(first.question.text, correction));
  const firstLine = [introduction, ...corrected].join('\n\n');
  if (questions.length === 1) return quoteAnswer(first.question, passages, { firstLine });
  const maxPassages = Math.max(1, Math.floor(QUOTES / questions.length));
  const parts = questions.map(({ question, numbers }) => {
    const own = numbers.flatMap((number) => passages[number - 1] ?? []);
    const quotes = quoteAnswer(question, own, { maxPassages }).quotes.map((quote): Quote<P> => ({
      ...quote,
      number: numbers[quote.number - 1] ?? 0,
    }));
    return { text: question.text, quotes };
  });
  const blocks = parts.map(({ text, quotes }) => {
    const lines = quotes.map(quoteLine);
    return [text, ...(lines.length === 0 ? [abstention(text)] : lines)].join('\n\n');
  });
  return { answer: [firstLine, ...blocks].join('\n\n'), quotes: parts.flatMap(({ quotes }) => quotes) };
}
