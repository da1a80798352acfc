import { analyze } from '../analysis/analyzer.js';
import { abstention, noModelMessage } from './answer-messages.js';
import { coverage, questionTerms } from './question-terms.js';
import { bestWindow, introduction, isHeading, type Range, sentencesOf } from './sentence-window.js';

/** A slice of a document. */
export interface QuotablePassage {
  readonly text: string;
  /** UTF-16 offset of the slice in the canonical text of the document. */
  readonly start: number;
}

export interface Quote<P> {
  /** Number of the citation `[n]`: position of the passage in the given list, from 1. */
  readonly number: number;
  readonly passage: P;
  /** UTF-16 offsets of `text` in the canonical text of the document; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface QuotedAnswer<P> {
  readonly answer: string;
  readonly quotes: Quote<P>[];
}

export interface QuoteOptions {
  /** Default 3. */
  readonly maxPassages?: number;
  /** Longest quote in UTF-16 code units; a Chinese, Japanese or Korean character counts as 3. Default 360. */
  readonly maxCharacters?: number;
}

/**
 * Answers a question without a language model: quotes the matching sentences of the best passages verbatim,
 * each with its citation, after a sentence that no model is configured. Returns `abstention(question)` if
 * there is nothing to quote.
 * @param passages in order of relevance, numbered as in the context
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
  return { answer: [noModelMessage(question), ...lines].join('\n\n'), quotes };
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
  // A heading is no answer: its terms count for the sentence below it.
  const scores = found.map((sentenceTerms, index) => {
    if (headings[index] === true) return 0;
    const headingTerms = headings[index - 1] === true ? (found[index - 1] ?? []) : [];
    return coverage(terms, new Set([...headingTerms, ...sentenceTerms]));
  });
  // A question about the whole document matches no sentence; the introduction answers it.
  const range = scores.some((score) => score > 0)
    ? bestWindow(text, sentences, scores, maxCharacters, (sentence) => firstMatch(terms, text, sentence))
    : introduction(text, sentences, maxCharacters);
  return {
    number,
    passage,
    start: passage.start + range.start,
    end: passage.start + range.end,
    text: text.slice(range.start, range.end),
  };
}

/** Offset in the text of the first matching word of a sentence; its start if no word matches. */
function firstMatch(terms: ReadonlyMap<string, number>, text: string, { start, end }: Range): number {
  for (const match of text.slice(start, end).matchAll(/\S{1,64}/gu)) {
    if (analyze(match[0]).some((term) => terms.has(term))) return start + match.index;
  }
  return start;
}
