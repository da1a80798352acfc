import iconv from 'iconv-lite';
import { FREQUENT_CHARACTERS } from './frequent-characters.js';

/** An encoding of two bytes for most characters, with the characters of its language. */
export interface TwoByteCandidate {
  readonly name: string;
  readonly language: 'zh' | 'ja' | 'ko';
  readonly rarity: number;
  /** The negative natural logarithm of the probability of each character. */
  readonly costs: ReadonlyMap<string, number>;
}

/** A character that its encoding has, but hardly any text. */
const RARE = 14;
const INVALID = 30;
/** A letter or digit of ASCII beside a character of two bytes: wrong encodings leave many. */
const ASCII_BESIDE = 3;
/** Single ones are what the letters of other encodings look like; after another one they are a word. */
const HALF_WIDTH_KATAKANA = 11;
const NEXT_HALF_WIDTH_KATAKANA = 4.5;

const PUNCTUATION = [...'，。、；：？！“”‘’（）《》「」『』【】・ー〜～—…·　％'];
const FULL_WIDTH = range(0xff10, 0xff5a);
const HIRAGANA = range(0x3041, 0x3096);
const KATAKANA = range(0x30a1, 0x30fc);

const BIG5_TRAILS = [
  [0x40, 0x7e],
  [0xa1, 0xfe],
] as const;

let candidates: readonly TwoByteCandidate[] | undefined;

/** The characters of the first level of a standard are the frequent ones, those of the second level the rare ones. */
export function twoByteCandidates(): readonly TwoByteCandidate[] {
  return (candidates ??= [
    {
      name: 'gb18030',
      language: 'zh',
      rarity: 0,
      costs: costsOf(
        [FREQUENT_CHARACTERS.simplified, { share: 0.65 }],
        [PUNCTUATION, 5],
        [level('gb2312', 0xb0, 0xd7, [[0xa1, 0xfe]]), 9],
        [level('gb2312', 0xd8, 0xf7, [[0xa1, 0xfe]]), 12],
        [FULL_WIDTH, 9],
      ),
    },
    {
      name: 'big5',
      language: 'zh',
      rarity: 0.5,
      costs: costsOf(
        [FREQUENT_CHARACTERS.traditional, { share: 0.65 }],
        [PUNCTUATION, 5],
        [level('big5', 0xa4, 0xc6, BIG5_TRAILS), 9],
        [level('big5', 0xc9, 0xf9, BIG5_TRAILS), 12.5],
        [FULL_WIDTH, 9],
      ),
    },
    ...['shift_jis', 'euc-jp'].map((name, rarity) => ({
      name,
      language: 'ja' as const,
      rarity,
      costs: costsOf(
        [FREQUENT_CHARACTERS.kana, { share: 0.4 }],
        [PUNCTUATION, 4.5],
        [FREQUENT_CHARACTERS.kanji, { share: 0.2 }],
        [HIRAGANA, 6],
        [KATAKANA, 5.5],
        [level('euc-jp', 0xb0, 0xcf, [[0xa1, 0xfe]]), 9.5],
        [level('euc-jp', 0xd0, 0xf4, [[0xa1, 0xfe]]), 13],
        [FULL_WIDTH, 8.5],
        [range(0xff61, 0xff9f), HALF_WIDTH_KATAKANA],
      ),
    })),
    {
      name: 'euc-kr',
      language: 'ko',
      rarity: 0.5,
      costs: costsOf(
        [FREQUENT_CHARACTERS.hangul, { share: 0.7 }],
        [level('euc-kr', 0xb0, 0xc8, [[0xa1, 0xfe]]), 9.2],
        [PUNCTUATION, 6],
        [level('euc-kr', 0xca, 0xfd, [[0xa1, 0xfe]]), 13],
      ),
    },
  ]);
}

/** The negative logarithm of the probability of a text in the language of a candidate. */
export function eastAsianCost(text: string, { costs }: TwoByteCandidate): number {
  let total = 0;
  let isBesideWide = false;
  let previous = '';
  for (const character of text) {
    if (character <= '\u007f') {
      if (isBesideWide && /[A-Za-z\d@-`{-~]/.test(character)) total += ASCII_BESIDE;
      isBesideWide = false;
      previous = '';
      continue;
    }
    const isNextHalfWidth = isHalfWidth(character) && isHalfWidth(previous) && costs.has(character);
    total += isNextHalfWidth ? NEXT_HALF_WIDTH_KATAKANA : (costs.get(character) ?? costOfOther(character));
    isBesideWide = true;
    previous = character;
  }
  return total;
}

function isHalfWidth(character: string): boolean {
  return character >= '\uff61' && character <= '\uff9f';
}

function costOfOther(character: string): number {
  return /^[\p{Cc}\p{Cn}\p{Co}\ufffd]$/u.test(character) ? INVALID : RARE;
}

/** @param groups characters and what each of them costs; the first group with a character decides */
function costsOf(
  ...groups: readonly (readonly [characters: Iterable<string>, cost: number | Zipf])[]
): ReadonlyMap<string, number> {
  const costs = new Map<string, number>();
  for (const [characters, cost] of groups) {
    const all = [...characters];
    const sum = all.reduce((total, _, rank) => total + 1 / (rank + 10), 0);
    for (const [rank, character] of all.entries()) {
      if (costs.has(character)) continue;
      costs.set(character, typeof cost === 'number' ? cost : -Math.log(cost.share / (rank + 10) / sum));
    }
  }
  return costs;
}

/** Characters of falling frequency (Zipf's law) that together have a share of a text. */
interface Zipf {
  readonly share: number;
}

function level(
  encoding: string,
  first: number,
  last: number,
  trails: readonly (readonly [number, number])[],
): ReadonlySet<string> {
  const bytes: number[] = [];
  for (let lead = first; lead <= last; lead += 1) {
    for (const [from, to] of trails) {
      for (let trail = from; trail <= to; trail += 1) bytes.push(lead, trail);
    }
  }
  const characters = new Set(iconv.decode(Buffer.from(bytes), encoding));
  characters.delete('\ufffd');
  return characters;
}

function range(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index));
}
