import { LANGUAGE_PAIRS, type PairLanguage } from './language-pairs.js';

/** Natural logarithms, negative, for what the table of a language does not have. */
const UNSEEN_PAIR = 7;
const UNSEEN_ASCII = 6;
const WESTERN_LETTER = 11;
const FOREIGN_LETTER = 14;
const MIXED_SCRIPTS = 10;
const UPPER_AFTER_LOWER = 6;
const SIGN_IN_WORD = 7;
const BROKEN = 25;

const PUNCTUATION = new Set('«»„“”‚‘’–—…•·°№§€£©®™¡¿½¼²³‹›\u00a0،؟؛');
const RARE_PUNCTUATION = new Set('´`×÷±µ¹¾†‡‰¢¥´\u00ad\u200c\u200d\u200e\u200fªº');
/** Signs that do not follow a letter, and those that do not precede one. */
const OPENING = new Set('«“„‚‘‹¿¡§€£©•÷×±№¤');
const CLOSING = new Set('»”…°®™½¼²³¹›†‡‰ªº÷×±№¤');
/** Romanian letters with a comma below, which most encodings have with a cedilla. */
const CEDILLAS: Readonly<Record<string, string>> = { ș: 'ş', ț: 'ţ' };
/** Letters of Latin-1, which occur as foreign words in all languages of the Latin script. */
const LATIN_1_LETTER = /[\u00c0-\u00ff]/;

/** A character of a decoded text, with what its cost depends on. */
export interface Character {
  /** In lower case; `_` when it is not a letter. */
  readonly letter: string;
  readonly isUpper: boolean;
  readonly isAscii: boolean;
  readonly isLatin: boolean;
  readonly isOpening: boolean;
  readonly isClosing: boolean;
  /** What the character itself costs, without the one before it, when it is not a letter. */
  readonly cost: number;
}

export function characterOf(text: string): Character {
  const isAscii = text <= '\u007f';
  const isLetter = /^[\p{L}\p{M}]$/u.test(text) && !RARE_PUNCTUATION.has(text);
  const lower = text.toLowerCase();
  const plain = CEDILLAS[lower] ?? lower;
  return {
    letter: isLetter && lower.length === 1 ? plain : '_',
    isUpper: isLetter && lower !== text,
    isAscii,
    isLatin: isLetter && /^\p{Script=Latin}$/u.test(text),
    isOpening: OPENING.has(text),
    isClosing: CLOSING.has(text),
    cost: isAscii || isLetter ? 0 : symbolCost(text),
  };
}

function symbolCost(text: string): number {
  if (PUNCTUATION.has(text)) return 5;
  if (RARE_PUNCTUATION.has(text)) return 8;
  return /^[\p{Cc}\p{Cn}\p{Co}\ufffd]$/u.test(text) ? BROKEN : 12;
}

/** How improbable pairs of characters are in a language. */
export class PairCosts {
  private static readonly known = new Map<PairLanguage, PairCosts>();
  private readonly costs = new Map<string, number>();
  private readonly letters = new Set<string>();

  private constructor(
    language: PairLanguage,
    readonly isLatin: boolean,
  ) {
    for (const [cost, group] of LANGUAGE_PAIRS[language].split('|').entries()) {
      const characters = [...group];
      for (let index = 0; index + 1 < characters.length; index += 2) {
        const [first = '', second = ''] = characters
          .slice(index, index + 2)
          .map((letter) => CEDILLAS[letter] ?? letter);
        this.costs.set(first + second, Math.max(cost, 0.5));
        this.letters.add(first).add(second);
      }
    }
  }

  static of(language: PairLanguage): PairCosts {
    let costs = PairCosts.known.get(language);
    if (costs === undefined) {
      costs = new PairCosts(language, /[a-z]/.test(LANGUAGE_PAIRS[language]));
      PairCosts.known.set(language, costs);
    }
    return costs;
  }

  /** The negative logarithm of the probability of a character after another. 0 between ASCII characters. */
  cost(before: Character, { letter, isUpper, isAscii, isLatin, isOpening, cost }: Character): number {
    if (isAscii && before.isAscii) return 0;
    if (letter === '_' && before.letter === '_') return cost;
    let total = cost;
    if ((isOpening && before.letter !== '_') || (before.isClosing && letter !== '_')) total += SIGN_IN_WORD;
    if (isAscii && before.letter === '_') return total;
    const pair = this.costs.get(before.letter + letter);
    if (pair !== undefined) total += pair;
    else if (isAscii) total += UNSEEN_ASCII;
    else if (letter !== '_') total += this.letterCost(letter);
    else total += 2;
    if (isUpper && before.letter !== '_' && !before.isUpper) total += UPPER_AFTER_LOWER;
    if (letter !== '_' && before.letter !== '_' && isLatin !== before.isLatin) total += MIXED_SCRIPTS;
    return total;
  }

  private letterCost(letter: string): number {
    if (this.letters.has(letter)) return UNSEEN_PAIR;
    return this.isLatin && LATIN_1_LETTER.test(letter) ? WESTERN_LETTER : FOREIGN_LETTER;
  }
}
