import type { AnalyzedQuestion } from '../question/analyzed-question.js';
import { questionTerms } from '../question/question-terms.js';
import {
  MAX_QUOTE_CHARACTERS,
  type PassageQuote,
  type QuotablePassage,
  quoteMatch,
} from './quote-passage.js';
import { sentencesOf } from './sentence-window.js';

/** A citation as `CitationStreamFilter` writes it, with the space before it. */
const CITATION = /[ \t]*\[(\d{1,4})\]/g;
/** The sentence of a line that has only citations. */
const NO_TEXT = { start: 0, end: 0 };

/**
 * Returns the quotes of a model's answer by number: of each cited passage the sentences that match the question and
 * the sentences of the answer that cite the passage. A passage without a matching sentence, as in a language other
 * than that of the answer, has no quote.
 * @param passages numbered from 1 in this order
 */
export function quoteCitations(
  question: AnalyzedQuestion,
  answer: string,
  passages: readonly QuotablePassage[],
): Map<number, PassageQuote> {
  const quotes = new Map<number, PassageQuote>();
  for (const [number, sentences] of citingSentences(answer)) {
    const passage = passages[number - 1];
    const terms = new Map([...questionTerms(sentences.join(' ')), ...question.weights]);
    const quote = passage ? quoteMatch(terms, passage, MAX_QUOTE_CHARACTERS) : null;
    if (quote !== null) quotes.set(number, quote);
  }
  return quotes;
}

/** The sentences of an answer by the number that they cite, without the citations. */
function citingSentences(answer: string): Map<number, string[]> {
  const sentencesByNumber = new Map<number, string[]>();
  for (const line of answer.split('\n')) {
    const text = line.replaceAll(CITATION, '');
    const sentences = sentencesOf(text);
    let removed = 0;
    for (const { 0: citation, 1: number, index } of line.matchAll(CITATION)) {
      const at = index - removed;
      removed += citation.length;
      // Also a citation after the full stop belongs to the sentence before it.
      const { start, end } = sentences.findLast((sentence) => sentence.start < at) ?? sentences[0] ?? NO_TEXT;
      const found = sentencesByNumber.get(Number(number)) ?? [];
      sentencesByNumber.set(Number(number), [...found, text.slice(start, end)]);
    }
  }
  return sentencesByNumber;
}
