import { abstention, noModelMessage } from './answer-messages.js';
import type { AnalyzedQuestion } from '../question/analyzed-question.js';
import {
  MAX_QUOTE_CHARACTERS,
  type PassageQuote,
  type QuotablePassage,
  quoteIntroduction,
  quoteMatch,
} from './quote-passage.js';

export interface Quote<P> extends PassageQuote {
  /** Number of the citation `[n]`: position of the passage in the given list, from 1. */
  readonly number: number;
  readonly passage: P;
}

export interface QuotedAnswer<P> {
  readonly answer: string;
  readonly quotes: Quote<P>[];
}

export interface QuoteOptions {
  /** What stands before the quotes. Default: `noModelMessage` of the question. */
  readonly firstLine?: string;
  /** Default 3. */
  readonly maxPassages?: number;
  /** Longest quote. Default {@link MAX_QUOTE_CHARACTERS}. */
  readonly maxCharacters?: number;
}

/**
 * Answers a question without a language model: quotes the matching sentences of the best passages verbatim,
 * each with its citation, after `firstLine`. Returns `abstention` if there is nothing to quote.
 * @param passages in order of relevance, numbered as in the context
 */
export function quoteAnswer<P extends QuotablePassage>(
  question: AnalyzedQuestion,
  passages: readonly P[],
  {
    firstLine = noModelMessage(question.text),
    maxPassages = 3,
    maxCharacters = MAX_QUOTE_CHARACTERS,
  }: QuoteOptions = {},
): QuotedAnswer<P> {
  const quotes = passages
    .slice(0, maxPassages)
    .map((passage, index) => ({
      number: index + 1,
      passage,
      // A question about the whole document matches no sentence; the introduction answers it.
      ...(quoteMatch(question.weights, passage, maxCharacters) ?? quoteIntroduction(passage, maxCharacters)),
    }))
    .filter(({ text }) => text !== '');
  if (quotes.length === 0) return { answer: abstention(question.text), quotes };
  const lines = quotes.map(({ text, number }) => `“${text}” [${number}]`);
  return { answer: [firstLine, ...lines].join('\n\n'), quotes };
}
