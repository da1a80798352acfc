import { weighByRarity } from './rare-terms.js';
import { analyze } from '../analysis/analyzer.js';
import { abstention, noModelMessage } from './answer-messages.js';
import type { AnalyzedQuestion } from '../question/analyzed-question.js';
import {
  MAX_QUOTE_CHARACTERS,
  type PassageQuote,
  type QuotablePassage,
  quoteIntroduction,
  quoteMatch,
  type QuoteMatch,
} from './quote-passage.js';

export interface Quote<P> extends PassageQuote {
  /** Number of the citation `[n]`: position of the passage in the given list, from 1. */
  readonly number: number;
  readonly passage: P;
  /** Lines above the quote that say what it is about. */
  readonly lead: readonly string[];
}

export interface QuotedAnswer<P> {
  readonly answer: string;
  readonly quotes: Quote<P>[];
}

export interface QuoteOptions {
  /** What stands before the quotes. Default: `noModelMessage` of the question. */
  readonly firstLine?: string;
  /** Most quotes, and the passages that are quoted unless they define what is asked for. Default 3. */
  readonly maxPassages?: number;
  /** Longest quote. Default {@link MAX_QUOTE_CHARACTERS}. */
  readonly maxCharacters?: number;
}

/** What a quote of the n-th passage counts, compared with one of the passage before. */
const RANK_DISCOUNT = 0.8;
/** The least share of the best quote's score for another quote. */
const MIN_SHARE = 0.5;
/** The share of its words that a quote has in common with one before it that says the same. */
const SAME_WORDS = 0.8;

/**
 * Answers a question without a language model: quotes the sentences, list items or rows of the best passages that match,
 * verbatim and each with its citation, after `firstLine`. The best quote comes first. Another one follows only if it matches
 * at least half as well and says something else. Returns `abstention` if there is nothing to quote.
 *
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
  const terms = weighByRarity(
    new Map([...question.variantWeights, ...question.weights]),
    passages.slice(0, maxPassages),
  );
  const found = passages
    .map((passage, index) => ({
      number: index + 1,
      passage,
      // A question about the whole document matches no sentence; the introduction answers it.
      ...(quoteMatch(terms, passage, maxCharacters) ?? quoteIntroduction(passage, maxCharacters)),
    }))
    // Definitions are short, so their passages rank low.
    .filter(({ number, text, isDefinition }) => text !== '' && (number <= maxPassages || isDefinition));
  const quotes = distinctQuotes(found).slice(0, maxPassages);
  if (quotes.length === 0) return { answer: abstention(question.text), quotes };
  return { answer: [firstLine, ...quotes.map(quoteLine)].join('\n\n'), quotes };
}

function distinctQuotes<P>(found: readonly (Quote<P> & QuoteMatch)[]): Quote<P>[] {
  const ranked = found
    .map((quote) => {
      const rank = quote.isDefinition ? 1 : quote.number;
      return { quote, score: quote.score * RANK_DISCOUNT ** (rank - 1) };
    })
    .toSorted((a, b) => b.score - a.score);
  const kept: (Quote<P> & { readonly words: ReadonlySet<string> })[] = [];
  for (const { quote, score } of ranked) {
    if (score < MIN_SHARE * (ranked[0]?.score ?? 0)) break;
    const words = new Set(analyze(quote.text));
    const isRepeated = kept.some((before) => saysTheSame(before.words, words));
    if (!isRepeated) kept.push({ ...quote, words });
  }
  return kept.map(({ number, passage, start, end, text, lead }) => ({
    number,
    passage,
    start,
    end,
    text,
    lead,
  }));
}

/** Whether two quotes have nearly the same words, and the same numbers. */
function saysTheSame(before: ReadonlySet<string>, words: ReadonlySet<string>): boolean {
  const common = [...words].filter((word) => before.has(word)).length;
  if (common < SAME_WORDS * Math.min(before.size, words.size)) return false;
  const isNumber = (word: string): boolean => /\p{Nd}/u.test(word);
  return [...words].filter(isNumber).every((word) => before.has(word));
}

/** A quote in quotation marks, with what it is about and its citation. */
export function quoteLine({ lead, text, number }: Pick<Quote<unknown>, 'lead' | 'text' | 'number'>): string {
  return `“${[...lead, text].join('\n')}” [${number}]`;
}
