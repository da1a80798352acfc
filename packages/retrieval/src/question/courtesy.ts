import { CJK, keyOf, keys, type MessageWord, messageWords, type WordKind } from './message-words.js';
import { CONDITIONS, CONTRASTS, PLEASE, PREPOSITIONS } from './small-talk.js';

/** Most words of a name after a greeting. */
const MAX_NAME = 4;
const CAPITAL = /^\p{Lu}/u;
const PLEASES = keys(PLEASE);
const CONDITION = keys(CONDITIONS);
const CONTRAST: ReadonlySet<string> = new Set(CONTRASTS);
const PREPOSITION = keys(PREPOSITIONS);

const isSmallTalk = ({ kind }: MessageWord): boolean =>
  kind === 'polite' || kind === 'greeting' || kind === 'opener' || kind === 'asking' || kind === 'chat';

const isPoliteWord = ({ kind }: MessageWord): boolean => kind === 'polite' || kind === 'greeting';

const isOpening = (word: MessageWord): boolean => isPoliteWord(word) || word.kind === 'opener';

/** Whether a sentence has small talk and nothing else, such as "Can you help me?". "Hello, who are you?" asks. */
export function isCourtesy(sentence: string): boolean {
  const words = messageWords(sentence);
  if (endOfSmallTalk(words) < words.length) return false;
  // "What do you think?", not "Is there a waiting list?"
  const isQuestion = /[?？]/u.test(sentence) && !words.some(({ isYou }) => isYou);
  return !isQuestion && askedAfterSmallTalk(words, words.length) < 0;
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
  const mayAsk = ({ kind, text }: MessageWord): boolean =>
    kind === 'content' || kind === 'asks' || kind === 'asking' || PLEASES.has(keyOf(text));
  return (
    isCourtesy(sentence) && !words.some(mayAsk) && (isFirst || !words.some(({ kind }) => kind === 'chat'))
  );
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

/** A French or Russian question without a question word: "Mon employeur peut-il …", "Должен ли я …" */
const INVERSION = /\p{L}-(?:t-)?(?:il|elle|on|je|nous|ils|elles|ce)(?!\p{L})|(?<!\p{L})ли(?!\p{L})/iu;

/** Whether a text begins as a question: "Why do I …", "Can I …", "Darf mein Chef …". */
export function beginsAsQuestion(text: string): boolean {
  const words = messageWords(text);
  const at = words.findIndex((word) => !isOpening(word));
  const [first, second] = [words[at], words[at + 1]];
  if (first?.kind === 'asks') return !words.some(({ isYou }) => isYou);
  const isInverted = first?.kind === 'function' && !first.isSelf && second?.isSelf === true;
  const key = keyOf(first?.text ?? '');
  return INVERSION.test(text) || (isInverted && !PREPOSITION.has(key) && !CONDITION.has(key));
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
  const last = lastSmallTalk(words, end);
  if (asked >= 0 && (!isCjk(words) || isCertain(words, last))) return sentence.slice(words[asked]?.start);
  if (end === words.length) return withoutGreeting(sentence, words);
  if (last < 0 || !isCertain(words, last)) return sentence;
  let next = last + 1;
  const canLink = words[last]?.kind === 'asking' || words[last]?.kind === 'chat';
  while (canLink && next < end && words[next]?.isLink === true && words[next]?.isAfterBreak === false)
    next += 1;
  return sentence.slice(words[next]?.start);
}

/** A question of words that are small talk elsewhere, without the greeting before it: "Hi, is there a waiting list?" */
function withoutGreeting(sentence: string, words: readonly MessageWord[]): string {
  const next = words.findIndex((word) => word.isAfterBreak);
  const isGreeted = next > 0 && words.slice(0, next).every(isOpening);
  return isGreeted && /[?？]/u.test(sentence) ? sentence.slice(words[next]?.start) : sentence;
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

/** Whether a word of chat stands between an article and content ("explain the information classification"), or a contrast excludes. */
function isPartOfSubject(words: readonly MessageWord[], at: number): boolean {
  const [before, word, next] = [words[at - 1], words[at], words[at + 1]];
  // "All but the open ones", not "sorry, but …"
  if (before?.kind === 'chat' && word?.isAfterBreak === false && CONTRAST.has(keyOf(word.text))) return true;
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
  const next = words[last + 1];
  const talk = run.filter(isSmallTalk);
  const has = (...kinds: readonly WordKind[]): boolean => talk.some(({ kind }) => kinds.includes(kind));
  const isNamed = next?.kind === 'content' && !next.isAfterBreak;
  // "AND gate", "LG TV", "Does Ben work": one word before a word of content can be a part of a name.
  if (
    talk.length === 1 &&
    isNamed &&
    has('opener', 'polite', 'greeting') &&
    !PLEASES.has(keyOf(talk[0]?.text ?? ''))
  )
    return false;
  const isAddressed = run.some(({ isYou }) => isYou);
  // "What can you tell me about …", not "What information do you need …"
  if (run[0]?.kind === 'asks') return isAddressed && words[last]?.kind === 'asking' && next?.isLink === true;
  const isPersonal = run.some(({ isSelf }) => isSelf);
  if (isAddressed && (isPersonal || has('asking', 'polite', 'greeting'))) return true;
  if (next?.isAfterBreak === true) return true;
  if (isCjk(run)) return isPersonal || has('asking', 'polite', 'greeting');
  if (has('polite', 'greeting', 'opener')) return true;
  const isInverted = run[1]?.isSelf === true && run[0]?.isSelf === false;
  return isPersonal && !isInverted && (talk.length > 1 || next?.isLink === true);
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

/** Between alternatives, which belong to the question: "in English or German?" */
const OR: ReadonlySet<string> = new Set(['or', 'oder', 'ou', 'o', 'или']);

/** A sentence without the small talk at its end: ", if you could help me please". */
export function withoutTrailing(sentence: string): string {
  const words = messageWords(sentence);
  if (!words.some(({ kind }) => kind === 'content')) return sentence.trim();
  const asked = words.findLastIndex(
    ({ kind, text }) => kind === 'content' || kind === 'asks' || OR.has(text.toLowerCase()),
  );
  // Chat alone can be a part of the question: "…, if I am not happy?"
  const last = words.findLastIndex(
    ({ kind, isYou }) => kind === 'polite' || kind === 'greeting' || kind === 'asking' || isYou,
  );
  const final = words.at(-1);
  const isClosed = final !== undefined && (isSmallTalk(final) || final.isYou);
  const cut = words.findIndex(({ kind, isAfterBreak, text }, at) => {
    if (at <= asked || at > last) return false;
    const before = words[at - 1];
    // "Which monitors are by LG?"
    const isPart =
      at === words.length - 1 &&
      before?.kind === 'function' &&
      !before.isSelf &&
      !before.isYou &&
      !CJK.test(text);
    return (
      isAfterBreak || (kind === 'polite' && isClosed && !isPart) || (kind === 'asking' && CJK.test(text))
    );
  });
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
