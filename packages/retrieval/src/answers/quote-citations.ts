import type { AnalyzedQuestion } from '../question/analyzed-question.js';
import { questionTerms } from '../question/question-terms.js';
import { MAX_QUOTE_CHARACTERS, type PassageQuote, type QuotablePassage, quoteBody } from './quote-passage.js';
import { sentencesOf } from '../analysis/sentence-window.js';

/** A citation as `CitationStreamFilter` writes it, with the space before it. */
const CITATION = /(?:(?<![ \t])[ \t]+)?\[(\d{1,4})\]/g;
/** The sentence of a line that has only citations. */
const NO_TEXT = { start: 0, end: 0 };
/** Sentences per passage that are compared with it: the first ones. */
const MAX_CITING_SENTENCES = 20;
/** Of these sentences, the first characters are compared. */
const MAX_CITING_CHARACTERS = 1_000;
/** Citations after the first characters have no quote. The limits bound the time for the answer of a model that repeats itself. */
const MAX_CHARACTERS = 50_000;

/**
 * Returns the quotes of a model's answer by number: of each cited passage the sentences that match the questions and
 * the sentences of the answer that cite the passage. A passage without a matching sentence, as in a language other
 * than that of the answer, has no quote.
 * @param passages numbered from 1 in this order
 */
export function quoteCitations(
  questions: readonly AnalyzedQuestion[],
  answer: string,
  passages: readonly QuotablePassage[],
): Map<number, PassageQuote> {
  const quotes = new Map<number, PassageQuote>();
  for (const [number, sentences] of citingSentences(answer, passages.length)) {
    const passage = passages[number - 1];
    const terms = new Map([
      ...questionTerms(sentences.join(' ').slice(0, MAX_CITING_CHARACTERS)),
      ...questions.flatMap(({ weights }) => [...weights]),
    ]);
    const quote = passage ? quoteBody(terms, passage, MAX_QUOTE_CHARACTERS) : null;
    if (quote !== null) quotes.set(number, quote);
  }
  return quotes;
}

/** The first sentences of an answer by the number that they cite, without the citations. */
function citingSentences(answer: string, passageCount: number): Map<number, string[]> {
  const sentencesByNumber = new Map<number, string[]>();
  for (const line of answer.slice(0, MAX_CHARACTERS).split('\n')) {
    if (!line.includes('[')) continue;
    const wanted = [...line.matchAll(CITATION)].some(
      ([, number]) =>
        Number(number) <= passageCount &&
        (sentencesByNumber.get(Number(number))?.length ?? 0) < MAX_CITING_SENTENCES,
    );
    if (wanted) addSentences(line, sentencesByNumber);
  }
  return sentencesByNumber;
}

function addSentences(line: string, sentencesByNumber: Map<number, string[]>): void {
  const text = line.replaceAll(CITATION, '');
  const sentences = sentencesOf(text);
  // A sentence that cites a passage several times counts once.
  const seen = new Set<string>();
  let removed = 0;
  let current = 0;
  for (const { 0: citation, 1: number, index } of line.matchAll(CITATION)) {
    const at = index - removed;
    removed += citation.length;
    // Also a citation after the full stop belongs to the sentence before it.
    while ((sentences[current + 1]?.start ?? Infinity) < at) current += 1;
    const found = sentencesByNumber.get(Number(number)) ?? [];
    sentencesByNumber.set(Number(number), found);
    if (found.length >= MAX_CITING_SENTENCES || seen.has(`${number} ${current}`)) continue;
    seen.add(`${number} ${current}`);
    const { start, end } = sentences[current] ?? NO_TEXT;
    found.push(text.slice(start, end));
  }
}
