import { BoundedMemo } from '../analysis/bounded-memo.js';
import { foldWord } from '../analysis/word-folder.js';
import { functionWords, LANGUAGES } from './function-words.js';
import {
  ASKING,
  ASKING_CJK,
  CHAT,
  CHAT_CJK,
  CONDITIONS,
  FUNCTIONS_CJK,
  GREETINGS,
  GREETINGS_CJK,
  LINKS,
  OPENERS,
  OPENERS_CJK,
  PLEASE,
  POLITE,
  POLITE_CJK,
  PREPOSITIONS,
  QUESTION_WORDS,
  QUESTION_WORDS_CJK,
  SELF,
  YOU,
} from './small-talk.js';

export type WordKind = 'polite' | 'greeting' | 'opener' | 'asking' | 'chat' | 'asks' | 'function' | 'content';

/** A word of a message, and what it may do there. */
export interface MessageWord {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly kind: WordKind;
  readonly isSelf: boolean;
  readonly isYou: boolean;
  readonly isLink: boolean;
  /** Whether a mark or a symbol stands before it. */
  readonly isAfterBreak: boolean;
}

const BREAK = /[,;:.!?…–—、，。！？；：・~〜～¿¡()（）\n\p{So}]|\s-\s/u;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
export const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const HIRAGANA = /\p{Script=Hiragana}/u;
const ALL_HIRAGANA = /^\p{Script=Hiragana}+$/u;

/** Without what people vary: case and diacritics. */
export const keyOf = foldWord;
/** "heyyy", "soooo" */
const REPEATED = /(.)\1{2,}|(.)\2+$/gu;
export const keys = (list: Iterable<string>): ReadonlySet<string> => new Set(Array.from(list, keyOf));

const KINDS = new Map<string, WordKind>([
  ...LANGUAGES.flatMap((language) =>
    [...functionWords(language)].map((word): [string, WordKind] => [keyOf(word), 'function']),
  ),
  ...entries(PREPOSITIONS, 'function'),
  ...entries(LINKS, 'function'),
  ...entries(SELF, 'function'),
  ...entries(YOU, 'function'),
  ...entries(CONDITIONS, 'function'),
  ...entries(CHAT, 'chat'),
  ...entries(ASKING, 'asking'),
  ...entries(OPENERS, 'opener'),
  ...entries(GREETINGS, 'greeting'),
  ...entries(POLITE, 'polite'),
  ...entries(PLEASE, 'polite'),
]);
const ASKING_WORDS: ReadonlySet<string> = new Set(QUESTION_WORDS);
const SELVES = keys(SELF);
const YOUS = keys(YOU);
const LINKING = keys(LINKS);

const PARTS_CJK = new Map<string, WordKind>([
  ...FUNCTIONS_CJK.map((part): [string, WordKind] => [part, 'function']),
  ...CHAT_CJK.map((part): [string, WordKind] => [part, 'chat']),
  ...ASKING_CJK.map((part): [string, WordKind] => [part, 'asking']),
  ...OPENERS_CJK.map((part): [string, WordKind] => [part, 'opener']),
  ...GREETINGS_CJK.map((part): [string, WordKind] => [part, 'greeting']),
  ...POLITE_CJK.map((part): [string, WordKind] => [part, 'polite']),
  ...QUESTION_WORDS_CJK.map((part): [string, WordKind] => [part, 'asks']),
]);
/** Length of the longest part that begins with a character. */
const LONGEST_CJK = new Map<string, number>();
for (const part of PARTS_CJK.keys())
  LONGEST_CJK.set(part.charAt(0), Math.max(part.length, LONGEST_CJK.get(part.charAt(0)) ?? 1));

function entries(list: readonly string[], kind: WordKind): [string, WordKind][] {
  return list.map((word) => [keyOf(word), kind]);
}

/** Several rules ask for the words of the same sentence, one after the other. */
const latest = new BoundedMemo<readonly MessageWord[]>(2);

/** The words of a sentence, in order. In languages without spaces, the parts that are known, and the characters between them. */
export function messageWords(sentence: string): readonly MessageWord[] {
  const known = latest.get(sentence);
  if (known !== undefined) return known;
  const words = readWords(sentence);
  latest.set(sentence, words);
  return words;
}

function readWords(sentence: string): MessageWord[] {
  const found: MessageWord[] = [];
  let end = 0;
  for (const { index, 0: run } of sentence.matchAll(WORD)) {
    for (const [start, text, kind] of CJK.test(run) ? partsCjk(run) : [[0, run, kindOf(run)] as const]) {
      const at = index + start;
      const key = kind === 'content' ? '' : keyOf(text);
      const isAfterBreak = BREAK.test(sentence.slice(end, at));
      found.push({
        start: sentence[at - 1] === '¿' ? at - 1 : at,
        end: at + text.length,
        text,
        kind: key === 'was' && !isAfterBreak && isEnglishBefore(found.at(-1)) ? 'function' : kind,
        isSelf: SELVES.has(key),
        isYou: YOUS.has(key),
        isLink: LINKING.has(key) || HIRAGANA.test(text),
        isAfterBreak,
      });
      end = at + text.length;
    }
  }
  return found;
}

/** "Was" is a verb in English: "it was", "which team was". In German it begins a clause. */
function isEnglishBefore(before: MessageWord | undefined): boolean {
  return before !== undefined && !['opener', 'asking', 'polite', 'greeting'].includes(before.kind);
}

function kindOf(word: string): WordKind {
  if (ASKING_WORDS.has(word.toLowerCase())) return 'asks';
  const key = keyOf(word);
  const known = KINDS.get(key) ?? KINDS.get(key.replace(REPEATED, '$1$2'));
  return known ?? (word.length === 1 && /\p{Ll}/u.test(word) ? 'function' : 'content');
}

function partsCjk(run: string): (readonly [start: number, text: string, kind: WordKind])[] {
  const parts: (readonly [number, string, WordKind])[] = [];
  for (let at = 0; at < run.length;) {
    let length = Math.min(LONGEST_CJK.get(run.charAt(at)) ?? 1, run.length - at);
    while (length > 1 && !PARTS_CJK.has(run.slice(at, at + length))) length -= 1;
    const text = run.slice(at, at + length);
    const kind = PARTS_CJK.get(text) ?? (HIRAGANA.test(text) ? 'function' : 'content');
    // It can be a part of an unknown word: 急 in 急救箱, 感谢 in 感谢信.
    const canBePart = length === 1 || kind === 'polite';
    const end = at + length;
    const isPart = canBePart && kind !== 'function' && end < run.length && !beginsPart(run, end);
    // はい in はいつ.
    const isGrammar = length <= 2 && ALL_HIRAGANA.test(text) && HIRAGANA.test(run.charAt(end));
    parts.push([at, text, isPart ? 'content' : isGrammar ? 'function' : kind]);
    at += length;
  }
  return parts;
}

function beginsPart(run: string, at: number): boolean {
  const next = run.charAt(at);
  if (HIRAGANA.test(next) || PARTS_CJK.get(next) === 'function' || PARTS_CJK.get(next) === 'asks')
    return true;
  for (let length = LONGEST_CJK.get(next) ?? 1; length > 1; length -= 1)
    if (PARTS_CJK.has(run.slice(at, at + length))) return true;
  return false;
}
