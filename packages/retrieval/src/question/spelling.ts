import { boundMarks, foldWord } from '../analysis/word-folder.js';
import { analyze } from '../analysis/analyzer.js';
import { stemmed } from '../analysis/word-terms.js';
import { termId } from '../sparse/sparse-encoder.js';
import { AnalyzedQuestion } from './analyzed-question.js';

/** A word of a question that no document has, and words of documents that it may stand for. */
export class UnknownWord {
  private found: ReadonlyMap<number, string> | undefined;

  /** @param id of its term */
  constructor(
    readonly word: string,
    readonly id: number,
  ) {}

  /** Spellings with one error less, by the id of their term. Some hundred: they are made when they are needed. */
  get spellings(): ReadonlyMap<number, string> {
    return (this.found ??= spellingsOf(foldWord(this.word)));
  }
}

/** A word that was searched instead of another one. */
export interface Correction {
  readonly from: string;
  readonly to: string;
}

const WORD = /[\p{Script=Latin}\p{M}]{3,24}/gu;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Shorter words have too many neighbours: only two exchanged letters are an error. */
const MIN_EDITED = 5;
const LONG_WORD = 8;
/** Words of a question that are looked for. */
const MAX_WORDS = 8;

/**
 * The words of a question that none of the found passages has. Their spellings are one error away: an exchanged pair of letters,
 * or a letter too many, too few, or wrong after the first one.
 *
 * @param found ids of the terms of the question that passages have
 */
export function unknownWords(question: AnalyzedQuestion, found: ReadonlySet<number>): UnknownWord[] {
  const known = new Set(
    question.variants
      .filter(({ needs }) => needs.every((need) => found.has(termId(need))))
      .flatMap(({ terms }) => terms),
  );
  const words = new Map<string, string>();
  for (const word of boundMarks(question.text).normalize('NFC').match(WORD) ?? []) {
    const [term, ...more] = analyze(word);
    if (term === undefined || more.length > 0 || !question.weights.has(term)) continue;
    if (!found.has(termId(term)) && !known.has(term)) words.set(term, word);
  }
  return Array.from(words, ([term, word]) => new UnknownWord(word, termId(term))).slice(0, MAX_WORDS);
}

/** Ids of the terms of a question. */
export function questionTermIds({ weights }: AnalyzedQuestion): number[] {
  return [...weights.keys()].map(termId);
}

/**
 * The spelling of each unknown word that most passages have together with another word of the question. A long word needs no
 * other: few words are one error away from it.
 *
 * @param passages with the ids of the spellings and of the terms of the question that they have
 */
export function nearestSpellings(
  unknown: readonly UnknownWord[],
  question: AnalyzedQuestion,
  passages: readonly { readonly text: string; readonly terms: readonly number[] }[],
): Correction[] {
  const own = new Set(questionTermIds(question));
  return unknown.flatMap(({ word, spellings }): Correction[] => {
    let nearest: { id: number; count: number; text: string } | null = null;
    for (const id of spellings.keys()) {
      const having = passages.filter(({ terms }) => terms.includes(id));
      const together = having.filter(({ terms }) => terms.some((term) => own.has(term)));
      const count =
        together.length > 0 ? 1 + together.length : word.length >= LONG_WORD ? Math.min(1, having.length) : 0;
      // Of equal ones, the last is the likelier error.
      if (count > 0 && count >= (nearest?.count ?? 0))
        nearest = { id, count, text: (together[0] ?? having[0])?.text ?? '' };
    }
    if (nearest === null) return [];
    const { id, text } = nearest;
    return [{ from: word, to: wordOf(text, id) ?? spellings.get(id) ?? word }];
  });
}

/** The first word of a text that has a term. */
function wordOf(text: string, id: number): string | undefined {
  return text.match(WORD)?.find((word) => analyze(word).some((term) => termId(term) === id));
}

/** A question with corrected words. */
export function corrected(question: AnalyzedQuestion, corrections: readonly Correction[]): AnalyzedQuestion {
  const text = corrections.reduce((before, { from, to }) => before.replace(from, to), question.text);
  return new AnalyzedQuestion(text, { earlier: question.earlier });
}

function spellingsOf(word: string): Map<number, string> {
  const letters = [...word];
  const cut = (at: number, ...between: string[]): string =>
    word.slice(0, at) + between.join('') + word.slice(at + between.length);
  const exchanged = letters.slice(1).map((letter, at) => cut(at, letter, letters[at] ?? ''));
  const positions = word.length < MIN_EDITED ? [] : letters.map((_, at) => at).slice(1);
  const shorter = positions.map((at) => word.slice(0, at) + word.slice(at + 1));
  const replaced = positions.flatMap((at) => [...LETTERS].map((letter) => cut(at, letter)));
  const longer = [...positions, ...(positions.length > 0 ? [word.length] : [])].flatMap((at) =>
    [...LETTERS].map((letter) => word.slice(0, at) + letter + word.slice(at)),
  );
  // The likelier error comes last and stays, where two spellings have one term.
  const spellings = [...replaced, ...longer, ...shorter, ...exchanged].filter(
    (spelling) => spelling !== word,
  );
  return new Map(
    spellings.flatMap((spelling) => {
      const [term] = stemmed(spelling);
      return term === undefined ? [] : [[termId(term), spelling] as const];
    }),
  );
}
