import iconv from 'iconv-lite';
import {
  eastAsianCost,
  LANGUAGE_PAIRS,
  type PairLanguage,
  twoByteCandidates,
} from './encoding-statistics.js';

/** Natural logarithms, negative, for what the table of a language does not have. */
const UNSEEN_PAIR = 7;
const UNSEEN_ASCII = 6;
const WESTERN_LETTER = 11;
const FOREIGN_LETTER = 14;
const MIXED_SCRIPTS = 10;
const UPPER_AFTER_LOWER = 6;
const SIGN_IN_WORD = 7;
const BROKEN_CHARACTER = 25;
const PUNCTUATION = new Set('«»„“”‚‘’–—…•·°№§€£©®™¡¿½¼²³‹›\u00a0،؟؛');
const RARE_PUNCTUATION = new Set('´`×÷±µ¹¾†‡‰¢¥´\u00ad\u200c\u200d\u200e\u200fªº');

/** Signs that do not follow a letter, and those that do not precede one. */
const OPENING_SIGNS = new Set('«“„‚‘‹¿¡§€£©•÷×±№¤');
const CLOSING_SIGNS = new Set('»”…°®™½¼²³¹›†‡‰ªº÷×±№¤');

/** Romanian letters with a comma below, which most encodings have with a cedilla. */
const CEDILLAS: Readonly<Record<string, string>> = { ș: 'ş', ț: 'ţ' };

/** Letters of Latin-1, which occur as foreign words in all languages of the Latin script. */
const LATIN_1_LETTER = /[\u00c0-\u00ff]/;

const WESTERN_LANGUAGES = ['de', 'fr', 'es', 'pt', 'it', 'sv', 'da', 'no', 'fi', 'is', 'ca'] as const;
/** Those of encodings that only a declaration brings in. */
const OTHER_LANGUAGES = ['de', 'fr', 'es', 'pl', 'ru', 'tr'] as const;
const CENTRAL_LANGUAGES = ['pl', 'cs', 'sk', 'hu', 'ro', 'hr', 'sl', 'de'] as const;

/** The more frequent ones first: of equal texts, the first candidate wins. */
const SINGLE_BYTE_CANDIDATES: readonly SingleByteCandidate[] = [
  { name: 'windows-1252', languages: WESTERN_LANGUAGES, rarity: 0 },
  { name: 'windows-1250', languages: CENTRAL_LANGUAGES, rarity: 1 },
  { name: 'windows-1251', languages: ['ru', 'uk', 'bg', 'sr', 'mk', 'be'], rarity: 1 },
  { name: 'windows-1253', languages: ['el'], rarity: 1.5 },
  { name: 'windows-1254', languages: ['tr'], rarity: 1.5 },
  { name: 'windows-1255', languages: ['he'], rarity: 1.5 },
  { name: 'windows-1256', languages: ['ar', 'fa', 'ur'], rarity: 1.5 },
  { name: 'windows-1257', languages: ['lt', 'lv', 'et'], rarity: 1.5 },
  { name: 'windows-874', languages: ['th'], rarity: 1.5 },
  { name: 'windows-1258', languages: ['vi'], rarity: 2 },
  { name: 'koi8-r', languages: ['ru'], rarity: 2 },
  { name: 'koi8-u', languages: ['uk'], rarity: 2.5 },
  { name: 'iso-8859-2', languages: CENTRAL_LANGUAGES, rarity: 3 },
  { name: 'iso-8859-5', languages: ['ru', 'bg', 'sr', 'mk', 'be'], rarity: 3 },
  { name: 'iso-8859-6', languages: ['ar', 'fa'], rarity: 3 },
  { name: 'iso-8859-7', languages: ['el'], rarity: 3 },
  { name: 'iso-8859-8', languages: ['he'], rarity: 3 },
  { name: 'iso-8859-9', languages: ['tr'], rarity: 3 },
  { name: 'iso-8859-13', languages: ['lt', 'lv', 'et'], rarity: 3 },
  { name: 'iso-8859-4', languages: ['lt', 'lv', 'et'], rarity: 6 },
  { name: 'iso-8859-16', languages: ['ro'], rarity: 7 },
  { name: 'cp866', languages: ['ru', 'uk'], rarity: 3 },
  { name: 'macroman', languages: WESTERN_LANGUAGES, rarity: 4 },
  { name: 'cp850', languages: WESTERN_LANGUAGES, rarity: 4 },
  { name: 'cp437', languages: ['de', 'fr', 'es', 'it', 'sv', 'fi'], rarity: 4.5 },
  { name: 'cp852', languages: CENTRAL_LANGUAGES, rarity: 5 },
  { name: 'cp855', languages: ['ru', 'bg', 'sr', 'mk'], rarity: 5 },
  { name: 'maccyrillic', languages: ['ru', 'uk', 'bg', 'sr', 'mk'], rarity: 7 },
  { name: 'maccenteuro', languages: CENTRAL_LANGUAGES, rarity: 5 },
  { name: 'cp857', languages: ['tr'], rarity: 5 },
  { name: 'cp737', languages: ['el'], rarity: 5 },
  { name: 'cp862', languages: ['he'], rarity: 5 },
];

export interface EncodingHints {
  /** An encoding that the file or its transport declares. */
  readonly declared?: string | undefined;
}

export interface EncodingGuess {
  readonly encoding: string;
  /** Other encodings that are about as plausible, the best one first. Empty when the guess is certain. */
  readonly alternatives: readonly string[];
}

const MAX_SAMPLE_BYTES = 16 * 1024;
/** ASCII after this many bytes of ASCII says nothing about the encoding. */
const MAX_PLAIN_BYTES = 16;
/** The negative logarithm that a declared encoding counts as. */
const DECLARED = 12;
/** A text with signs, but without letters of the script of its encoding. */
const NO_LETTERS = 8;
/** A guess is uncertain if another text is less than this worse. */
const UNCERTAIN = 4;
const MAX_ALTERNATIVES = 3;

/**
 * Guesses a legacy encoding: decodes the text with each candidate and takes the one whose text is the most probable
 * in a language of that encoding. Pairs of letters, characters of two bytes by their frequency, and penalties for
 * control characters, private characters, mixed scripts and capitals inside a word make up the probability.
 */
export function detectEncoding(bytes: Uint8Array, hints: EncodingHints = {}): EncodingGuess {
  const sample = Buffer.from(sampleOf(bytes));
  const declared = canonicalEncoding(hints.declared);
  const best = new Map<string, { name: string; cost: number }>();
  const consider = (name: string, text: string, cost: number): void => {
    const total = cost - (name === declared ? DECLARED : 0);
    const known = best.get(text);
    if (known === undefined) best.set(text, { name, cost: total });
    else if (name === declared) best.set(text, { name, cost: Math.min(known.cost, total) });
    else known.cost = Math.min(known.cost, total);
  };
  for (const candidate of twoByteCandidates()) {
    const text = iconv.decode(sample, candidate.name);
    consider(candidate.name, text, eastAsianCost(text, candidate) + candidate.rarity);
  }
  const isKnown = [...twoByteCandidates(), ...SINGLE_BYTE_CANDIDATES].some(({ name }) => name === declared);
  const isOther =
    !isKnown && !/^(?:utf|iso-2022)/.test(declared ?? 'utf') && iconv.encodingExists(declared ?? '');
  const other = { name: declared ?? '', languages: OTHER_LANGUAGES, rarity: 3 };
  for (const { name, languages, rarity } of [...SINGLE_BYTE_CANDIDATES, ...(isOther ? [other] : [])]) {
    const text = iconv.decode(sample, name).normalize('NFC');
    consider(name, text, letterCost(text, languages) + rarity);
  }
  const [first, ...others] = [...best.values()].sort((one, other) => one.cost - other.cost);
  if (first === undefined) return { encoding: 'windows-1252', alternatives: [] };
  const close = others.filter(({ cost }) => cost - first.cost < UNCERTAIN).slice(0, MAX_ALTERNATIVES);
  return { encoding: first.name, alternatives: close.map(({ name }) => name) };
}

/** The cost in the language that fits best. */
function letterCost(text: string, languages: readonly PairLanguage[]): number {
  const characters = charactersOf(text);
  const hasLetters = characters.some(({ letter, isAscii }) => !isAscii && letter !== '_');
  const costs = languages.map((language) => {
    const pairs = PairCosts.of(language);
    let total = !hasLetters && !pairs.isLatin ? NO_LETTERS : 0;
    let before = BOUNDARY;
    for (const character of characters) {
      total += pairs.cost(before, character);
      before = character;
    }
    return total;
  });
  return Math.min(...costs);
}

const BOUNDARY = characterOf(' ');
const known = new Map<string, Character>();

function charactersOf(text: string): Character[] {
  return Array.from(text, (character) => {
    let found = known.get(character);
    if (found === undefined) {
      found = characterOf(character);
      // The single-byte encodings together have some thousand characters.
      known.set(character, found);
    }
    return found;
  });
}

/** The beginning of a file without long runs of ASCII. A long English beginning would otherwise fill the sample. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= MAX_SAMPLE_BYTES) return bytes;
  const sample = new Uint8Array(MAX_SAMPLE_BYTES);
  let length = 0;
  let plain = 0;
  for (const byte of bytes) {
    plain = byte < 0x80 ? plain + 1 : 0;
    if (plain > MAX_PLAIN_BYTES) continue;
    sample[length] = byte;
    length += 1;
    if (length === MAX_SAMPLE_BYTES) break;
  }
  return sample.subarray(0, length);
}

/** An encoding of one byte for each character, with the languages that are written in it. */
interface SingleByteCandidate {
  /** As iconv-lite and the metadata of a document name it. */
  readonly name: string;
  readonly languages: readonly PairLanguage[];
  /** How much rarer files in this encoding are, as a negative natural logarithm. */
  readonly rarity: number;
}

/** A character of a decoded text, with what its cost depends on. */
interface Character {
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

function characterOf(text: string): Character {
  const isAscii = text <= '\u007f';
  const isLetter = /^[\p{L}\p{M}]$/u.test(text) && !RARE_PUNCTUATION.has(text);
  const lower = text.toLowerCase();
  const plain = CEDILLAS[lower] ?? lower;
  return {
    letter: isLetter && lower.length === 1 ? plain : '_',
    isUpper: isLetter && lower !== text,
    isAscii,
    isLatin: isLetter && /^\p{Script=Latin}$/u.test(text),
    isOpening: OPENING_SIGNS.has(text),
    isClosing: CLOSING_SIGNS.has(text),
    cost: isAscii || isLetter ? 0 : symbolCost(text),
  };
}

function symbolCost(text: string): number {
  if (PUNCTUATION.has(text)) return 5;
  if (RARE_PUNCTUATION.has(text)) return 8;
  return /^[\p{Cc}\p{Cn}\p{Co}\ufffd]$/u.test(text) ? BROKEN_CHARACTER : 12;
}

/** How improbable pairs of characters are in a language. */
class PairCosts {
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

/** Names of the encoding standard that differ from those that the product shows. */
const SHOWN_NAMES: Readonly<Record<string, string>> = {
  gbk: 'gb18030',
  macintosh: 'macroman',
  'x-mac-cyrillic': 'maccyrillic',
  ibm866: 'cp866',
  'iso-8859-8-i': 'iso-8859-8',
};

/**
 * The name of an encoding by one of its labels, such as `windows-1252` for `latin1`.
 *
 * @returns undefined for an unknown label, and for ASCII, which says nothing about other bytes
 */
export function canonicalEncoding(label: string | undefined): string | undefined {
  const name = label?.trim().toLowerCase() ?? '';
  if (name === '' || /^(?:us-)?ascii$/.test(name)) return undefined;
  try {
    const { encoding } = new TextDecoder(name);
    return SHOWN_NAMES[encoding] ?? encoding;
  } catch {
    return iconv.encodingExists(name) ? name : undefined;
  }
}
