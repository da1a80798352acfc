import { analyze } from '../analysis/analyzer.js';
import { matchedWeight } from '../question/question-terms.js';
import { bestWindow, introduction, isHeading, type Range, sentencesOf } from './sentence-window.js';

/** A slice of a document. */
export interface QuotablePassage {
  readonly text: string;
  /** UTF-16 offset of the slice in the canonical text of the document. */
  readonly start: number;
}

/** Sentences of a passage, verbatim. */
export interface PassageQuote {
  /** UTF-16 offsets of `text` in the canonical text of the document; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Default length of the longest quote in UTF-16 code units; a Chinese, Japanese or Korean character counts as 3. */
export const MAX_QUOTE_CHARACTERS = 360;

/**
 * Returns the sentences of a passage that have the most of the given terms, within `maxCharacters`. Null
 * if no sentence has any of the terms.
 * @param terms with their weights
 */
export function quoteMatch(
  terms: ReadonlyMap<string, number>,
  passage: QuotablePassage,
  maxCharacters: number,
): PassageQuote | null {
  const { text } = passage;
  const sentences = sentencesOf(text);
  const headings = sentences.map((_, index) => isHeading(text, sentences, index));
  const found = sentences.map(({ start, end }) => analyze(text.slice(start, end)));
  // A heading is no answer: its terms count for the sentence below it.
  const scores = found.map((sentenceTerms, index) => {
    if (headings[index] === true) return 0;
    const headingTerms = headings[index - 1] === true ? (found[index - 1] ?? []) : [];
    return matchedWeight(terms, new Set([...headingTerms, ...sentenceTerms]));
  });
  if (!scores.some((score) => score > 0)) return null;
  const focus = (sentence: Range): number => firstMatch(terms, text, sentence);
  return slice(passage, bestWindow(text, sentences, scores, maxCharacters, focus));
}

/** Returns the first sentences of a passage, within `maxCharacters`. */
export function quoteIntroduction(passage: QuotablePassage, maxCharacters: number): PassageQuote {
  return slice(passage, introduction(passage.text, sentencesOf(passage.text), maxCharacters));
}

function slice({ text, start }: QuotablePassage, range: Range): PassageQuote {
  return { start: start + range.start, end: start + range.end, text: text.slice(range.start, range.end) };
}

/** Offset in the text of the first matching word of a sentence; its start if no word matches. */
function firstMatch(terms: ReadonlyMap<string, number>, text: string, { start, end }: Range): number {
  for (const match of text.slice(start, end).matchAll(/\S{1,64}/gu)) {
    if (analyze(match[0]).some((term) => terms.has(term))) return start + match.index;
  }
  return start;
}
