import { analyze } from '../analysis/analyzer.js';
import { isNegated } from '../question/negation.js';
import type { AnalyzedQuestion } from '../question/analyzed-question.js';
import { matchedWeight, questionTerms } from '../question/question-terms.js';
import { sentencesOf } from '../analysis/sentence-window.js';
import { detectLanguage, firstLanguage } from '../question/detect-language.js';
import type { Language } from '../question/function-words.js';
import { isTable, quoteLines } from './quote-lines.js';
import { abstention, correctionMessage, moreMessage, noModelMessage } from './answer-messages.js';
import {
  MAX_QUOTE_CHARACTERS,
  type PassageQuote,
  type QuotablePassage,
  quoteIntroduction,
  type QuoteMatch,
  quoteMatches,
  type QuoteMatches,
} from './quote-passage.js';
import type { Correction } from '../question/spelling.js';

export interface Quote<P> extends PassageQuote {
  /** Number of the citation `[n]`: position of the passage in the given list, from 1. */
  readonly number: number;
  readonly passage: P;
  /** Lines above the quote that name its subject. */
  readonly lead: readonly string[];
}

interface QuotedAnswer<P> {
  readonly answer: string;
  readonly quotes: Quote<P>[];
  /** Numbers of the passages that are cited. */
  readonly cited: ReadonlySet<number>;
}

/** Rows of a table that answer a question; see `tableAnswer`. */
export interface QuotedTable {
  readonly text: string;
  /** Of the citation. */
  readonly number: number;
  /** Numbers of all passages of the document. Their rows are not quoted. */
  readonly numbers: readonly number[];
}

export interface QuoteOptions {
  /** Of the sentences around the quotes. Default: that of the question. */
  readonly language?: Language;
  /** What stands before the quotes. Default: `noModelMessage`. */
  readonly firstLine?: string;
  /** Most quotes, and the passages that are quoted unless they define what is asked for. Default 3. */
  readonly maxPassages?: number;
  /** Longest quote. Default {@link MAX_QUOTE_CHARACTERS}. */
  readonly maxCharacters?: number;
  /** Default: none. */
  readonly tables?: readonly QuotedTable[];
}

/** What a quote of the n-th passage counts, compared with one of the passage before. */
const RANK_DISCOUNT = 0.8;
/** The least share of the best quote's score for another quote. */
const MIN_SHARE = 0.5;
/** The least share of the best score for a quote that answers equally. */
const EQUAL_SHARE = 0.97;
/** More quotes that answer equally are not shown. */
const MAX_EQUAL = 12;
const HAS_DIGIT = /\p{Nd}/u;
/** A number, or a word with a capital inside of a sentence. */
const NUMBER_OR_NAME = /\p{Nd}[\p{L}\p{N}.,]*|(?<=[\p{Ll},] )\p{Lu}[\p{L}\p{N}]*/gu;

/**
 * Answers a question without a language model: quotes the sentences, list items or rows of the best passages that match,
 * verbatim and each with its citation, after `firstLine`. The best quote comes first. Another one follows only if it matches
 * at least half as well and says something else. If several have every word of the question that the passages have, these
 * are quoted, up to {@link MAX_EQUAL}. Returns `abstention` if there is nothing to quote.
 *
 * @param passages in order of relevance, numbered as in the context
 */
export function quoteAnswer<P extends QuotablePassage>(
  question: AnalyzedQuestion,
  passages: readonly P[],
  {
    language = detectLanguage(question.text),
    firstLine = noModelMessage(language),
    maxPassages = 3,
    maxCharacters = MAX_QUOTE_CHARACTERS,
    tables = [],
  }: QuoteOptions = {},
): QuotedAnswer<P> {
  const found = bestQuotes(question, passages, maxPassages, maxCharacters);
  const { blocks, quotes } = quotedBlocks(found.quotes, tables, 1);
  const cited = citedNumbers(quotes, tables);
  if (blocks.length === 0) return { answer: abstention(question.text, language), quotes, cited };
  const more = found.isMore && tables.length === 0 ? [moreMessage(language)] : [];
  return { answer: [firstLine, ...blocks, ...more].join('\n\n'), quotes, cited };
}

/**
 * The blocks of an answer, in Markdown. Rows of a document whose table answers are not quoted.
 *
 * @param best number of the best passage; what is from its document comes first
 */
function quotedBlocks<P extends QuotablePassage>(
  all: readonly Quote<P>[],
  tables: readonly QuotedTable[],
  best: number,
): { blocks: string[]; quotes: Quote<P>[] } {
  const ofTables = new Set(tables.flatMap(({ numbers }) => numbers));
  const quotes = all.filter(({ number, text }) => !ofTables.has(number) || !isTable(text));
  const parts = tables.map(({ text }) => text);
  const lines = quoteLines(quotes);
  return { blocks: ofTables.has(best) ? [...parts, ...lines] : [...lines, ...parts], quotes };
}

function citedNumbers(
  quotes: readonly { readonly number: number }[],
  tables: readonly QuotedTable[],
): Set<number> {
  return new Set([...tables, ...quotes].map(({ number }) => number));
}

/** The quotes of the passages that answer a question, and whether more answer it as well. */
function bestQuotes<P extends QuotablePassage>(
  question: AnalyzedQuestion,
  passages: readonly P[],
  maxPassages: number,
  maxCharacters: number,
): { quotes: Quote<P>[]; isMore: boolean } {
  const terms = weighByRarity(
    new Map([...question.earlierWeights, ...question.variantWeights, ...question.weights]),
    passages.slice(0, maxPassages),
  );
  const others = ofOtherSubjects(question, passages);
  const candidates = passages
    .map((passage, index) => ({ passage, number: index + 1 }))
    .filter(({ passage }) => !others.has(passage))
    .map((one) => {
      const matchesOf = (own: ReadonlyMap<string, number>): QuoteMatches =>
        quoteMatches(own, one.passage, maxCharacters, question.negated);
      const continued = continuedTerms(question, one.passage);
      const same = continued && matchesOf(continued);
      return { ...one, matches: same?.best ? same : matchesOf(terms) };
    });
  const { negated } = question;
  const equal = equalQuotes(
    candidates.flatMap(({ passage, number, matches }) =>
      matches.equal.map((match) => ({ passage, number, ...match })),
    ),
    question,
  );
  const own = new Set([...question.weights.keys(), ...question.variantWeights.keys()]);
  const quoteOf = (passage: P, best: QuoteMatch | null): QuoteMatch => {
    // Words of earlier questions tell which passage is meant, but not which of its sentences.
    const isWhole = question.earlier.length > 0 && !analyze(passage.text).some((term) => own.has(term));
    const introduction = quoteIntroduction(passage, maxCharacters);
    if (isWhole && introduction.text.length === passage.text.trim().length) return introduction;
    // A question about the whole document matches no sentence; the introduction answers it.
    return best ?? introduction;
  };
  const found = candidates
    .map(({ passage, number, matches }) => ({ number, passage, ...quoteOf(passage, matches.best) }))
    // Definitions are short, so their passages rank low. What a question negates has other words, so that it does, too.
    .filter(
      ({ number, text, isDefinition }) =>
        text !== '' && (number <= maxPassages || isDefinition || negated.size > 0),
    );
  const isQuoted = (one: Quote<P>): boolean =>
    found.some(({ number, start, end }) => number === one.number && start <= one.start && one.end <= end);
  const answering = new Set(equal.map(({ number }) => number));
  if (answering.size > maxPassages || !equal.every(isQuoted)) {
    const quotes = equal.slice(0, MAX_EQUAL);
    return { quotes, isMore: equal.length > quotes.length };
  }
  const matching = answering.size > 1 ? found.filter(({ number }) => answering.has(number)) : found;
  const quotes = distinctQuotes(matching, negated.size > 0 ? 1 : RANK_DISCOUNT).slice(0, maxPassages);
  return { quotes, isMore: false };
}

/**
 * The terms that choose the sentences of a passage whose title has all words of a question that continues another one: those of
 * the other one. "And for the Fiat 500?" asks the same of another document. Null if the words do not stand for the document.
 */
function continuedTerms(
  { isContinuation, weights, earlier }: AnalyzedQuestion,
  { text, header = '', headingPath = [], documentName = '' }: QuotablePassage,
): Map<string, number> | null {
  if (!isContinuation || weights.size === 0) return null;
  const firstLine = text.trimStart().split('\n', 1)[0] ?? '';
  const title = new Set(analyze([documentName, ...headingPath, header, firstLine].join('\n')));
  if (![...weights.keys()].every((term) => title.has(term))) return null;
  return new Map(earlier.toReversed().flatMap((question) => [...question.weights]));
}

/**
 * The quotes that answer a question equally: all that have every word of the question that any quote has. Empty if one of
 * these words is in none of the best quotes together with the others.
 */
function equalQuotes<P>(found: readonly (Quote<P> & QuoteMatch)[], question: AnalyzedQuestion): Quote<P>[] {
  const asked = [...question.weights.keys()].filter((term) => !question.negated.has(term));
  const known = asked.filter((term) => found.some(({ matched }) => matched.has(term)));
  // One word is enough for a command: "List all courses on Friday" of texts that say "Fencing is on Friday".
  const isEnough = known.length > (question.isCommand ? 0 : 1);
  const whole = found.filter(({ matched }) => isEnough && known.every((term) => matched.has(term)));
  const score = Math.max(0, ...whole.map((quote) => quote.score));
  const best = whole.filter((quote) => quote.score >= score * EQUAL_SHARE);
  return withoutRepeated(best);
}

/** The passages that have as much of the question as others, and less of the earlier questions of the conversation. */
function ofOtherSubjects<P extends QuotablePassage>(
  { earlier, weights }: AnalyzedQuestion,
  passages: readonly P[],
): ReadonlySet<P> {
  if (earlier.length === 0) return new Set();
  const terms = new Map(
    passages.map((passage) => [passage, new Set(analyze(`${passage.header ?? ''}\n${passage.text}`))]),
  );
  const matched = (passage: P, own: ReadonlyMap<string, number>): number =>
    matchedWeight(own, terms.get(passage) ?? new Set());
  const most = Math.max(0, ...passages.map((passage) => matched(passage, weights)));
  const equal = passages.filter((passage) => matched(passage, weights) === most);
  const same = ofSameSubject(equal, (passage) => earlier.map((turn) => matched(passage, turn.weights)));
  return new Set(equal.filter((passage) => !same.includes(passage)));
}

function distinctQuotes<P>(found: readonly (Quote<P> & QuoteMatch)[], discount: number): Quote<P>[] {
  const ranked = found
    .map((quote) => {
      const rank = quote.isDefinition ? 1 : quote.number;
      return { quote, score: quote.score * discount ** (rank - 1) };
    })
    .toSorted((a, b) => b.score - a.score);
  const [best] = ranked;
  const least = MIN_SHARE * (best?.score ?? 0);
  // A row of another day, or a part with another number, answers nothing.
  const numbers = [...(best?.quote.matched ?? [])].filter((term) => HAS_DIGIT.test(term));
  return withoutRepeated(
    ranked
      .filter(({ quote, score }) => score >= least && numbers.every((term) => quote.matched.has(term)))
      .map(({ quote }) => quote),
  );
}

/** Without quotes that say the same as one before them. */
function withoutRepeated<P>(quotes: readonly Quote<P>[]): Quote<P>[] {
  const kept: Quote<P>[] = [];
  for (const quote of quotes)
    if (!kept.some((before) => saysTheSame(before.text, quote.text))) kept.push(quote);
  return kept.map(({ number, passage, start, end, text, lead }) => ({
    number,
    passage,
    start,
    end,
    text,
    lead,
  }));
}

/** Whether a text has no content word, number or name that the one before has not, and both or none have a negation. */
function saysTheSame(before: string, text: string): boolean {
  if (before === text) return true;
  if (isNegated(before) !== isNegated(text)) return false;
  const said = new Set([...questionTerms(before).keys(), ...(before.match(NUMBER_OR_NAME) ?? [])]);
  return [...questionTerms(text).keys(), ...(text.match(NUMBER_OR_NAME) ?? [])].every((word) =>
    said.has(word),
  );
}

/**
 * Weighs the terms of a question by how rare they are in the sentences of the passages: a term that most sentences have
 * does not tell which of them answers. The rarest terms keep their weight.
 *
 * @param terms with their weights
 */
function weighByRarity(
  terms: ReadonlyMap<string, number>,
  passages: readonly { readonly text: string }[],
): Map<string, number> {
  const counts = new Map<string, number>();
  let sentences = 0;
  for (const { text } of passages) {
    for (const { start, end } of sentencesOf(text)) {
      sentences += 1;
      for (const term of new Set(analyze(text.slice(start, end))))
        if (terms.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
    }
  }
  const rarity = (count: number): number => Math.log(1 + sentences / count) / Math.log(1 + sentences);
  return new Map(
    Array.from(
      terms,
      ([term, weight]) => [term, weight * rarity(Math.max(1, counts.get(term) ?? 0))] as const,
    ),
  );
}

/** A question of a message, with the passages that are relevant to it. */
export interface AskedQuestion {
  readonly question: AnalyzedQuestion;
  /** Words that were searched instead of those of the message. Default: none. */
  readonly corrections?: readonly Correction[];
  /** Numbers of the passages, from 1, best first. Empty: nothing relevant was found. */
  readonly numbers: readonly number[];
  /** Default: none. */
  readonly tables?: readonly QuotedTable[];
}

/** Quotes for all questions together; each gets at least one. */
const QUOTES = 3;

/**
 * Answers the questions of a message without a language model: {@link quoteAnswer} for one question; for several, each
 * question is repeated above its quotes, or above a sentence that nothing was found.
 *
 * @param passages in the order of their numbers
 * @param options.firstLine what stands before the quotes. Default: `noModelMessage`
 */
export function quoteAnswers<P extends QuotablePassage>(
  questions: readonly AskedQuestion[],
  passages: readonly P[],
  {
    language = firstLanguage(questions.map(({ question }) => question.text)),
    firstLine: introduction = noModelMessage(language),
  }: Pick<QuoteOptions, 'language' | 'firstLine'> = {},
): QuotedAnswer<P> {
  const [first] = questions;
  if (first === undefined) return { answer: introduction, quotes: [], cited: new Set() };
  const corrections = questions.flatMap((asked) => asked.corrections ?? []);
  const corrected = corrections.map((correction) => correctionMessage(correction, language));
  const firstLine = [introduction, ...corrected].join('\n\n');
  if (questions.length === 1) {
    const { tables = [] } = first;
    return quoteAnswer(first.question, passages, { firstLine, language, tables });
  }
  const maxPassages = Math.max(1, Math.floor(QUOTES / questions.length));
  const parts = questions.map(({ question, numbers, tables = [] }) => {
    const own = numbers.flatMap((number) => passages[number - 1] ?? []);
    const found = bestQuotes(question, own, maxPassages, MAX_QUOTE_CHARACTERS).quotes.map(
      (quote): Quote<P> => ({ ...quote, number: numbers[quote.number - 1] ?? 0 }),
    );
    const { blocks, quotes } = quotedBlocks(found, tables, numbers[0] ?? 0);
    const lines = blocks.length === 0 ? [abstention(question.text, language)] : blocks;
    return { text: [question.text, ...lines].join('\n\n'), quotes, tables };
  });
  return {
    answer: [firstLine, ...parts.map(({ text }) => text)].join('\n\n'),
    quotes: parts.flatMap(({ quotes }) => quotes),
    cited: new Set(parts.flatMap(({ quotes, tables }) => [...citedNumbers(quotes, tables)])),
  };
}

/**
 * Of candidates that answer a question equally well, those about the subject of the conversation: the newest earlier question
 * that tells some of them from others decides, then the one before it. All, if none does.
 *
 * @param sharesOf how much a candidate covers each earlier question, newest first; see `QuestionCoverage.earlierShares`
 */
export function ofSameSubject<T>(candidates: readonly T[], sharesOf: (one: T) => readonly number[]): T[] {
  let left = candidates.map((candidate) => ({ candidate, shares: sharesOf(candidate) }));
  const turns = left[0]?.shares.length ?? 0;
  for (let turn = 0; turn < turns && left.length > 1; turn += 1) {
    const most = Math.max(...left.map(({ shares }) => shares[turn] ?? 0));
    left = left.filter(({ shares }) => (shares[turn] ?? 0) >= most - TOLERANCE);
  }
  return left.map(({ candidate }) => candidate);
}

/** Shares are sums of floating-point numbers. */
const TOLERANCE = 1e-6;
