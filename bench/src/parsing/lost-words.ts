import type { Document, LeftOut } from '@citewell/documents';
import { wordsOf } from './word-recall.js';

/** What our text lacks of the text of another reader. */
export interface Loss {
  /** Words of the other reader, with repetitions. */
  readonly words: number;
  /** Those that are nowhere in our text. */
  readonly lost: readonly string[];
  /** Lost words as a share of all. */
  readonly share: number;
  /** The cause of most of the lost words. */
  readonly cause: Cause;
  readonly leftOut: LeftOut;
}

const CAUSES = [
  'other word boundaries',
  'letters in the reverse order',
  'left out and counted',
  'only one other reader finds it',
  'lost',
] as const;
export type Cause = (typeof CAUSES)[number];

/**
 * Compares a document with the texts of other readers. The one that finds most words counts.
 *
 * @param others texts of at least one other reader
 */
export function lossOf(
  { text, leftOut = {} }: Pick<Document, 'text'> & Partial<Pick<Document, 'leftOut'>>,
  others: readonly string[],
): Loss {
  const [best = [], ...rest] = others.map(wordsFor).sort((one, other) => other.length - one.length);
  const found = new Set(wordsFor(text));
  const lost = best.filter((word) => !found.has(word));
  const inRest = rest.map((words) => new Set(words));
  const unspaced = text.normalize('NFKC').toLowerCase().replace(NOT_IN_WORDS, '');
  const counted = Object.values(leftOut).reduce((sum, characters) => sum + characters, 0);
  const isCounted = counted >= lost.join(' ').length / 2;
  const causes = lost.map((word): Cause => {
    if (word.length > 1 && unspaced.includes(word)) return 'other word boundaries';
    if (word.length > 1 && found.has([...word].reverse().join(''))) return 'letters in the reverse order';
    if (isCounted) return 'left out and counted';
    return inRest.length > 0 && !inRest.some((words) => words.has(word))
      ? 'only one other reader finds it'
      : 'lost';
  });
  const times = (cause: Cause): number => causes.filter((other) => other === cause).length;
  const cause = CAUSES.reduce((most, other) => (times(other) > times(most) ? other : most));
  return {
    words: best.length,
    lost: lost.filter((_, index) => causes[index] === cause),
    share: lost.length / Math.max(1, best.length),
    cause,
    leftOut,
  };
}

const NOT_IN_WORDS = /[^\p{L}\p{M}\p{N}]/gu;

/** Words without soft hyphens and single letters, rejoined after hyphenation. */
function wordsFor(text: string): string[] {
  const joined = text
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e]/g, '')
    .replace(/(\p{L})-\n(?=\p{Ll})/gu, '$1');
  return wordsOf(joined).filter((word) => word.length > 1 || /[\p{Script=Han}\p{N}]/u.test(word));
}
