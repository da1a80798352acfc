import { foldWord } from '../analysis/word-folder.js';
import { functionWords, LANGUAGES } from './function-words.js';
import {
  ASKING,
  ASKING_CJK,
  CHAT,
  CHAT_CJK,
  CONDITIONS,
  CONTRASTS,
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

type Kind = 'polite' | 'greeting' | 'opener' | 'asking' | 'chat' | 'asks' | 'function' | 'content';

/** A word of a message, and what it may do there. */
export interface MessageWord {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly kind: Kind;
  readonly isSelf: boolean;
  readonly isYou: boolean;
  readonly isLink: boolean;
  /** Whether a mark or a symbol stands before it. */
  readonly isAfterBreak: boolean;
}

/** A name after a greeting has at most so many words. */
const MAX_NAME = 4;
const BREAK = /[,;:.!?…–—、，。！？；：・~〜～¿¡()（）\n\p{So}]|\s-\s/u;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const HIRAGANA = /\p{Script=Hiragana}/u;
const CAPITAL = /^\p{Lu}/u;

/** Without what people vary: case and diacritics. */
const keyOf = foldWord;
/** "heyyy", "soooo" */
const REPEATED = /(.)\1{2,}|(.)\2+$/gu;
const keys = (list: Iterable<string>): ReadonlySet<string> => new Set(Array.from(list, keyOf));

const KINDS = new Map<string, Kind>([
  ...LANGUAGES.flatMap((language) =>
    [...functionWords(language)].map((word): [string, Kind] => [keyOf(word), 'function']),
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
]);
const ASKING_WORDS: ReadonlySet<string> = new Set(QUESTION_WORDS);
const PLEASES = keys(PLEASE);
const SELVES = keys(SELF);
const YOUS = keys(YOU);
const LINKING = keys(LINKS);
const CONDITION = keys(CONDITIONS);
const CONTRAST: ReadonlySet<string> = new Set(CONTRASTS);
const PREPOSITION = keys(PREPOSITIONS);

const PARTS_CJK = new Map<string, Kind>([
  ...FUNCTIONS_CJK.map((part): [string, Kind] => [part, 'function']),
  ...CHAT_CJK.map((part): [string, Kind] => [part, 'chat']),
  ...ASKING_CJK.map((part): [string, Kind] => [part, 'asking']),
  ...OPENERS_CJK.map((part): [string, Kind] => [part, 'opener']),
  ...GREETINGS_CJK.map((part): [string, Kind] => [part, 'greeting']),
  ...POLITE_CJK.map((part): [string, Kind] => [part, 'polite']),
  ...QUESTION_WORDS_CJK.map((part): [string, Kind] => [part, 'asks']),
]);
const LONGEST_CJK = Math.max(...Array.from(PARTS_CJK.keys(), ({ length }) => length));

function entries(list: readonly string[], kind: Kind): [string, Kind][] {
  return list.map((word) => [keyOf(word), kind]);
}

/** The words of a sentence, in order. In languages without spaces, the parts that are known, and the characters between them. */
export function messageWords(sentence: string): MessageWord[] {
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

function kindOf(word: string): Kind {
  if (ASKING_WORDS.has(word.toLowerCase())) return 'asks';
  const key = keyOf(word);
  const known = KINDS.get(key) ?? KINDS.get(key.replace(REPEATED, '$1$2'));
  return known ?? (word.length === 1 && /\p{Ll}/u.test(word) ? 'function' : 'content');
}

function partsCjk(run: string): (readonly [start: number, text: string, kind: Kind])[] {
  const parts: (readonly [number, string, Kind])[] = [];
  for (let at = 0; at < run.length;) {
    let length = Math.min(LONGEST_CJK, run.length - at);
    while (length > 1 && !PARTS_CJK.has(run.slice(at, at + length))) length -= 1;
    const text = run.slice(at, at + length);
    const kind = PARTS_CJK.get(text) ?? (HIRAGANA.test(text) ? 'function' : 'content');
    // A character can be a part of an unknown word: 急 in 急救箱.
    const isPart = length === 1 && kind !== 'function' && at + 1 < run.length && !beginsPart(run, at + 1);
    parts.push([at, text, isPart ? 'content' : kind]);
    at += length;
  }
  return parts;
}

function beginsPart(run: string, at: number): boolean {
  const next = run.charAt(at);
  if (HIRAGANA.test(next) || PARTS_CJK.get(next) === 'function' || PARTS_CJK.get(next) === 'asks')
    return true;
  for (let length = 2; length <= LONGEST_CJK; length += 1)
    if (PARTS_CJK.has(run.slice(at, at + length))) return true;
  return false;
}

const isSmallTalk = ({ kind }: MessageWord): boolean =>
  kind === 'polite' || kind === 'greeting' || kind === 'opener' || kind === 'asking' || kind === 'chat';

const isPoliteWord = ({ kind }: MessageWord): boolean => kind === 'polite' || kind === 'greeting';

/** Whether a sentence has small talk and nothing else, such as "Can you help me?". "Hello, who are you?" asks. */
export function isCourtesy(sentence: string): boolean {
  const words = messageWords(sentence);
  const isAsked = words.some(({ kind }) => kind === 'asks') && !words.some(({ isYou }) => isYou);
  return (
    endOfSmallTalk(words) === words.length &&
    (isAsked ? !/[?？]/u.test(sentence) : askedAfterSmallTalk(words, words.length) < 0)
  );
}

/** Whether a text says more than function words and small talk. */
export function hasContent(text: string): boolean {
  return messageWords(text).some(({ kind }) => kind === 'content');
}

/** Whether authors speak of themselves, or with courtesy to the reader. */
export function isPersonal(text: string): boolean {
  return messageWords(text).some((word) => word.isSelf || isPoliteWord(word));
}

/**
 * Whether a sentence is a greeting, thanks or an apology, and asks nothing. After an answer, words of chat may ask: "thanks, the
 * second one in German".
 */
export function isGreeting(sentence: string, isFirst: boolean): boolean {
  const words = messageWords(sentence);
  const asks = words.some(({ kind, text }) => kind === 'asking' || PLEASES.has(keyOf(text)));
  return isCourtesy(sentence) && !asks && (isFirst || !words.some(({ kind }) => kind === 'chat'));
}

/** Whether a text has a word of thanks, an apology or a greeting. */
export function hasCourtesy(text: string): boolean {
  return messageWords(text).some(isPoliteWord);
}

/** Whether a text begins with thanks, an apology or a greeting. */
export function isPolite(text: string): boolean {
  const [first] = messageWords(text);
  return first !== undefined && isPoliteWord(first);
}

/** Whether authors speak of themselves. */
export function speaksOfAuthor(text: string): boolean {
  return messageWords(text).some(({ isSelf }) => isSelf);
}

/** Whether a sentence begins with a condition. */
export function isCondition(text: string): boolean {
  const [first] = messageWords(text);
  return first !== undefined && CONDITION.has(keyOf(first.text));
}

/**
 * A sentence without the small talk at its beginning: "Hi Kim, could you tell me when you open?" is "when you open?". The
 * sentence as it is, if it consists of small talk.
 */
export function withoutLeading(sentence: string): string {
  const words = messageWords(sentence);
  const end = endOfSmallTalk(words);
  const asked = words[0]?.kind === 'asks' ? -1 : askedAfterSmallTalk(words, end);
  if (asked >= 0) return sentence.slice(words[asked]?.start);
  const last = lastSmallTalk(words, end);
  if (end === words.length || last < 0 || !isCertain(words, last)) return sentence;
  let next = last + 1;
  const canLink = words[last]?.kind === 'asking' || words[last]?.kind === 'chat';
  while (canLink && next < end && words[next]?.isLink === true && words[next]?.isAfterBreak === false)
    next += 1;
  return sentence.slice(words[next]?.start);
}

/** How many words at the beginning are small talk and function words, a name after a greeting included. */
function endOfSmallTalk(words: readonly MessageWord[]): number {
  let at = 0;
  let canBeNamed = false;
  while (at < words.length) {
    const word = words[at];
    if (word === undefined) break;
    canBeNamed &&= !word.isAfterBreak;
    if (word.kind === 'asks' && at > 0 && isClauseWithContent(words, at)) {
      // With its question word, so that the question is found.
      at += 1;
      break;
    }
    if (word.kind === 'content') {
      const end = canBeNamed ? nameEnd(words, at) : at;
      if (end === at) break;
      at = end;
    } else at += 1;
    // "Dear Ms Keller", "Estimada señora Keller"
    canBeNamed = word.kind === 'greeting' || (canBeNamed && word.kind === 'chat');
  }
  return words.slice(0, at).some(isSmallTalk) ? at : 0;
}

/** Whether there is content from a word to the next break. */
function isClauseWithContent(words: readonly MessageWord[], at: number): boolean {
  const next = words.findIndex(({ kind, isAfterBreak }, n) => n > at && (isAfterBreak || kind === 'content'));
  return words[next]?.isAfterBreak === false;
}

/** Where a name ends that a break follows. */
function nameEnd(words: readonly MessageWord[], start: number): number {
  if (!CAPITAL.test(words[start]?.text ?? '')) return start;
  for (let end = start + 1; end <= start + MAX_NAME && end <= words.length; end += 1) {
    const next = words[end];
    if (next === undefined || next.isAfterBreak) return end;
    if (!CAPITAL.test(next.text) && next.kind === 'content') return start;
  }
  return start;
}

function lastSmallTalk(words: readonly MessageWord[], end: number): number {
  return words.findLastIndex((word, at) => at < end && isSmallTalk(word) && !isPartOfSubject(words, at));
}

/** Whether a word of chat stands between an article and content: "explain the information classification". */
function isPartOfSubject(words: readonly MessageWord[], at: number): boolean {
  const [before, word, next] = [words[at - 1], words[at], words[at + 1]];
  if ((word?.kind !== 'chat' && word?.kind !== 'asking') || CJK.test(word.text)) return false;
  const isBeforeContent = next?.kind === 'content' && !next.isAfterBreak;
  return isBeforeContent && before?.kind === 'function' && !before.isSelf && !before.isYou && !before.isLink;
}

/** The question word after all small talk, with its preposition; -1 without one. */
function askedAfterSmallTalk(words: readonly MessageWord[], end: number): number {
  const last = lastSmallTalk(words, end);
  if (last < 0) return -1;
  const asked = words.findIndex(({ kind }, at) => at > last && at < end && kind === 'asks');
  if (asked < 0) return -1;
  return withPrepositions(words, asked, last);
}

/** The first of the prepositions before a question word: "à partir de quel montant". */
function withPrepositions(words: readonly MessageWord[], asked: number, after = -1): number {
  let first = asked;
  while (first - 1 > after && words[first]?.isAfterBreak === false) {
    if (!PREPOSITION.has(keyOf(words[first - 1]?.text ?? ''))) break;
    first -= 1;
  }
  return first;
}

/**
 * Whether the words up to the last one of small talk are that. A word of chat can be a part of the subject ("help desk hours"),
 * so that an address, a mark or a word of courtesy must be with it; in "Do I need a visa?" it belongs to the question.
 */
function isCertain(words: readonly MessageWord[], last: number): boolean {
  const run = words.slice(0, last + 1);
  if (run[0]?.kind === 'asks')
    return run.some(({ isYou }) => isYou) && run.some(({ kind }) => kind === 'asking');
  if (run.some(({ isYou }) => isYou)) return true;
  if (words[last + 1]?.isAfterBreak === true) return true;
  if (isCjk(run))
    return run.some(({ isSelf, kind }) => isSelf || !['function', 'chat', 'opener'].includes(kind));
  if (run.some(({ kind }) => kind === 'polite' || kind === 'greeting' || kind === 'opener')) return true;
  const isInverted = run[1]?.isSelf === true && run[0]?.isSelf === false;
  if (isInverted || !run.some(({ isSelf }) => isSelf)) return false;
  return run.filter(isSmallTalk).length > 1 || words[last + 1]?.isLink === true;
}

const isCjk = (words: readonly MessageWord[]): boolean => words.some(({ text }) => CJK.test(text));

/**
 * Whether a sentence asks for information by its first words ("Please tell me the fee."), or anywhere in languages whose verb
 * stands at the end.
 */
export function isRequest(sentence: string): boolean {
  const words = messageWords(sentence);
  if (isCjk(words)) return words.some(({ kind }) => kind === 'asking');
  const end = endOfSmallTalk(words);
  const last = lastSmallTalk(words, end);
  return (
    words.slice(0, end).some(({ kind }) => kind === 'asking') &&
    (askedAfterSmallTalk(words, end) >= 0 || (last >= 0 && isCertain(words, last)))
  );
}

const END_MARK = /(?<![?？])[?？]+$/u;

/** Before a request at the end of a Japanese sentence. */
const OBJECT_MARK = /(?:を|について|に関して)$/u;

/** A sentence without the small talk at its end: ", if you could help me please". */
export function withoutTrailing(sentence: string): string {
  const words = messageWords(sentence);
  const asked = words.findLastIndex(({ kind }) => kind === 'content' || kind === 'asks');
  const last = words.findLastIndex(({ kind }) => kind === 'polite' || kind === 'asking' || kind === 'chat');
  if (!words.some(({ kind }) => kind === 'content')) return sentence.trim();
  const final = words.at(-1);
  const isClosed = final !== undefined && (isSmallTalk(final) || final.isYou);
  const cut = words.findIndex(
    ({ kind, isAfterBreak, text }, at) =>
      at > asked &&
      at <= last &&
      (isAfterBreak || (kind === 'polite' && isClosed) || (kind === 'asking' && CJK.test(text))),
  );
  if (cut < 0) return sentence.trim();
  const head = sentence.slice(0, words[cut - 1]?.end);
  const mark =
    /[?？]/u.exec(sentence.slice(head.length, words[cut]?.start)) ?? END_MARK.exec(sentence.trimEnd());
  return head.replace(OBJECT_MARK, '') + (mark?.[0] ?? '');
}

/** Where a question word begins a clause: after a mark, a word of small talk, or at the beginning. With its preposition. */
export function questionWordStarts(text: string): number[] {
  const words = messageWords(text);
  return words.flatMap((word, at) => {
    if (word.kind !== 'asks') return [];
    const first = withPrepositions(words, at);
    const previous = words[first - 1];
    const begins =
      first === 0 || words[first]?.isAfterBreak === true || (previous !== undefined && isSmallTalk(previous));
    return begins ? [words[first]?.start ?? 0] : [];
  });
}

/** Where a clause begins after a contrast: "sorry for the dumb question lol but …". */
export function contrastStarts(text: string): number[] {
  const words = messageWords(text);
  return words.flatMap(({ start }, at) => (CONTRAST.has(words[at - 1]?.text ?? '') ? [start] : []));
}
