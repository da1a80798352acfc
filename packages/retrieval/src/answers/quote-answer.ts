import { analyze } from '../analysis/analyzer.js';
import { abstention, noModelNotice } from './fixed-sentences.js';
import { coverage, questionTerms } from './question-terms.js';
import { bestWindow, isHeading, opening, type Range, sentencesOf } from './sentence-window.js';

/** What can be quoted: a slice of a document, `start` being its offset there. */
export interface QuotablePassage {
  readonly text: string;
  readonly start: number;
}

export interface Quote<P> {
  /** What the answer cites it as, `[n]`; `n` is the passage's place among those given, from 1. */
  readonly number: number;
  readonly passage: P;
  /** UTF-16 offsets into the document's canonical text; `text` is that slice. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface QuotedAnswer<P> {
  readonly answer: string;
  readonly quotes: Quote<P>[];
}

export interface QuoteOptions {
  /** 3 by default. */
  readonly maxPassages?: number;
  /** Longest quote in UTF-16 units, a Chinese, Japanese or Korean character counting as three; 360 by default. */
  readonly maxCharacters?: number;
}

/**
 * The answer that needs no model: of each of the best passages the sentences that match the question, verbatim,
 * each followed by its citation, after one sentence saying that no model is configured. `passages` are in order
 * of relevance and numbered as in the context. Without passages it is `abstention(question)`.
 */
export function quoteAnswer<P extends QuotablePassage>(
  question: string,
  passages: readonly P[],
  { maxPassages = 3, maxCharacters = 360 }: QuoteOptions = {},
): QuotedAnswer<P> {
  const terms = questionTerms(question);
  const quotes = passages
    .slice(0, maxPassages)
    .map((passage, index) => quote(terms, passage, index + 1, maxCharacters))
    .filter(({ text }) => text !== '');
  if (quotes.length === 0) return { answer: abstention(question), quotes };
  const lines = quotes.map(({ text, number }) => `“${text}” [${number}]`);
  return { answer: [noModelNotice(question), ...lines].join('\n\n'), quotes };
}

function quote<P extends QuotablePassage>(
  terms: ReadonlyMap<string, number>,
  passage: P,
  number: number,
  maxCharacters: number,
): Quote<P> {
  const { text } = passage;
  const sentences = sentencesOf(text);
  const headings = sentences.map((_, index) => isHeading(text, sentences, index));
  const found = sentences.map(({ start, end }) => analyze(text.slice(start, end)));
  // A heading answers nothing: what it says counts for the sentence under it.
  const values = found.map((own, index) => {
    if (headings[index] === true) return 0;
    const above = headings[index - 1] === true ? (found[index - 1] ?? []) : [];
    return coverage(terms, new Set([...above, ...own]));
  });
  // A question about the whole matches nothing; what a document is about stands at its beginning.
  const range = values.some((value) => value > 0)
    ? bestWindow(text, sentences, values, maxCharacters, (sentence) => firstMatch(terms, text, sentence))
    : opening(text, sentences, maxCharacters);
  return {
    number,
    passage,
    start: passage.start + range.start,
    end: passage.start + range.end,
    text: text.slice(range.start, range.end),
  };
}

/** Where in a sentence without inner bounds the first matching word stands. */
function firstMatch(terms: ReadonlyMap<string, number>, text: string, { start, end }: Range): number {
  for (const match of text.slice(start, end).matchAll(/\S{1,64}/gu)) {
    if (analyze(match[0]).some((term) => terms.has(term))) return start + match.index;
  }
  return start;
}
