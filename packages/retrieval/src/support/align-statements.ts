import { analyze } from '../analysis/analyzer.js';
import { sentencesOf } from '../answers/sentence-window.js';
import type { AnalyzedQuestion } from '../question/analyzed-question.js';
import { detectLanguage } from '../question/detect-language.js';
import { questionTerms } from '../question/question-terms.js';
import { type Statement, statementsOf } from './answer-statements.js';

/** A passage that an answer may be based on. */
export interface AlignablePassage {
  readonly text: string;
  readonly headingPath?: readonly string[];
}

/** A statement of an answer with what supports it. */
export interface AlignedStatement extends Statement {
  /** The number of the passage that supports a statement without a citation of its own. */
  readonly added: number | null;
  /** Whether the statement cites a passage, or one supports it. */
  readonly supported: boolean;
}

/**
 * The least share of the words of a statement that a passage must contain, weighted by their rarity. Chosen so that at least
 * nine of ten added citations are right: see docs/retrieval.md.
 */
export const SUPPORTED = 0.9;
/** A smaller share of the pairs of adjacent words of a statement, or one pair, may be in another order in the passage. */
const MAX_OUT_OF_ORDER = 0.5;
/** How far apart the words of such a pair may be in the passage. */
const MAX_DISTANCE = 4;
/** Most adjacent sentences of a passage that are compared with a statement together. */
const WINDOW = 2;
/** A statement with fewer words that are no function words says too little to be compared. */
const MIN_TERMS = 3;
/** The same for a fragment, such as the name in a list: that a passage has the name supports nothing. */
const MIN_FRAGMENT_TERMS = 5;
const SENTENCE_END = /[.!。！]["'”’»)]*$/u;
const NUMBER = /\p{Nd}+(?:[.,]\p{Nd}+)*/gu;
const NEGATION =
  /(?<!\p{L})(?:not|no|never|none|cannot|without|nicht|kein(?:e[nmrs]?)?|nie|ohne|pas|jamais|aucune?|sans|nunca|ningun[oa]?|ningún|sin|não|nem|senza|mai|не|нет|без|لا|ليس|لم|لن)(?!\p{L})|n['’]t(?!\p{L})|[不没沒无無未]|ない|ません|않|없/iu;

interface Candidate {
  readonly number: number;
  readonly terms: ReadonlySet<string>;
  /** The terms of its headings and sentences in their order. */
  readonly sequence: readonly string[];
  readonly numbers: ReadonlySet<string>;
  readonly isNegative: boolean;
}

/**
 * Compares the statements of an answer with the passages that it was written from. A statement without a citation gets that
 * of the passage that contains its words, above {@link SUPPORTED}; the words of the questions count for nothing, because an
 * answer repeats them. Its numbers must be in the passage, both must deny or both must not, and most neighbours among its
 * words must be neighbours there, or the passage may say something else with the same words.
 *
 * Returns null without passages, and if the answer has another language than they: words cannot be compared then.
 *
 * @param passages numbered from 1 in this order
 */
export function alignStatements(
  questions: readonly AnalyzedQuestion[],
  answer: string,
  passages: readonly AlignablePassage[],
): AlignedStatement[] | null {
  const statements = statementsOf(answer);
  if (passages.length === 0 || !hasOneLanguage(statements, passages)) return null;
  const candidates = passages.flatMap(candidatesOf);
  const rarity = rarityOf(candidates);
  const asked = new Set(questions.flatMap(({ weights }) => [...weights.keys()]));
  return statements.map((statement) => {
    if (statement.cited.length > 0) return { ...statement, added: null, supported: true };
    const added = supporterOf(statement.text, candidates, { rarity, asked });
    return { ...statement, added, supported: added !== null };
  });
}

function hasOneLanguage(statements: readonly Statement[], passages: readonly AlignablePassage[]): boolean {
  const language = detectLanguage(
    statements
      .map(({ text }) => text)
      .join(' ')
      .slice(0, 2_000),
  );
  return passages.some(({ text }) => detectLanguage(text.slice(0, 2_000)) === language);
}

/** Each sentence of a passage, alone and with those after it. */
function candidatesOf({ text, headingPath = [] }: AlignablePassage, index: number): Candidate[] {
  const sentences = sentencesOf(text);
  const heading = analyze(headingPath.join(' '));
  return sentences.flatMap(({ start }, n) =>
    sentences.slice(n, n + WINDOW).map(({ end }) => {
      const window = text.slice(start, end);
      const sequence = [...heading, ...analyze(window)];
      return {
        number: index + 1,
        terms: new Set(sequence),
        sequence,
        numbers: new Set(window.match(NUMBER)),
        isNegative: isNegative(window),
      };
    }),
  );
}

/** How rare a term is in the passages: a term of one sentence says more about a statement than one of all. */
function rarityOf(candidates: readonly Candidate[]): (term: string) => number {
  const counts = new Map<string, number>();
  for (const { terms } of candidates) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return (term) => Math.log(1 + candidates.length / (counts.get(term) ?? 1));
}

/** The number of the passage that supports a sentence best; null if none does. */
function supporterOf(
  text: string,
  candidates: readonly Candidate[],
  { rarity, asked }: { rarity: (term: string) => number; asked: ReadonlySet<string> },
): number | null {
  const weights = new Map(Array.from(questionTerms(text), ([term, weight]) => [term, weight * rarity(term)]));
  const fresh = new Map([...weights].filter(([term]) => !asked.has(term)));
  const least = SENTENCE_END.test(text) ? MIN_TERMS : MIN_FRAGMENT_TERMS;
  if (!saysEnough(fresh) || weights.size < least) return null;
  const numbers = text.match(NUMBER) ?? [];
  const denies = isNegative(text);
  const words = analyze(text).filter((term) => weights.has(term));
  let best: number | null = null;
  let most = SUPPORTED;
  for (const candidate of candidates) {
    if (numbers.some((number) => !candidate.numbers.has(number))) continue;
    if (denies !== candidate.isNegative) continue;
    const score = Math.min(coverage(weights, candidate.terms), coverage(fresh, candidate.terms));
    const isBetter = score > most || (score === most && best === null);
    if (isBetter && isInOrder(words, candidate.sequence)) {
      best = candidate.number;
      most = score;
    }
  }
  return best;
}

function isInOrder(words: readonly string[], sequence: readonly string[]): boolean {
  const pairs = words.slice(1).map((word, index) => [words[index], word] as const);
  const isNear = ([first, second]: (typeof pairs)[number]): boolean =>
    sequence.some(
      (term, at) =>
        term === first &&
        (first === second || sequence.slice(at + 1, at + 1 + MAX_DISTANCE).includes(second)),
    );
  const broken = pairs.filter((pair) => !isNear(pair)).length;
  return broken <= 1 || broken < pairs.length * MAX_OUT_OF_ORDER;
}

/** One word that is not of the question is chance, unless it is a number. */
function saysEnough(fresh: ReadonlyMap<string, number>): boolean {
  return fresh.size > 1 || [...fresh.keys()].some((term) => /\p{Nd}/u.test(term));
}

function isNegative(text: string): boolean {
  return NEGATION.test(text);
}

function coverage(weights: ReadonlyMap<string, number>, terms: ReadonlySet<string>): number {
  let total = 0;
  let found = 0;
  for (const [term, weight] of weights) {
    total += weight;
    if (terms.has(term)) found += weight;
  }
  return total === 0 ? 0 : found / total;
}
