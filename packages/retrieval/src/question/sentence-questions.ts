import {
  ASKS_CJK,
  BACKGROUND_CJK,
  CLAUSE_CJK,
  CLITIC,
  COMMA,
  CONDITION_CJK,
  CONJUNCTION,
  CONSEQUENCE,
  continues,
  COORDINATION,
  MARK_CJK,
  OPENING,
  PARTICLES,
  PREAMBLE_COLON,
  QUESTION_MARK,
  refersBack,
} from './message-patterns.js';
import {
  beginsAsQuestion,
  contrastStarts,
  hasContent,
  isCondition,
  isCourtesy,
  isPersonal,
  isPolite,
  isRequest,
  questionWordStarts,
  speaksOfAuthor,
  withoutLeading,
  withoutTrailing,
} from './courtesy.js';
import { CJK } from './message-words.js';
import { IMPERATIVE, questionTerms } from './question-terms.js';

/** Fewest things of a list. Two often belong together: "food and drink". */
const MIN_LISTED_THINGS = 3;

const MAX_THING_WORDS = 6;

/** What precedes a list: a question word and a verb. */
const LIST_PREFIX =
  /^(?:(?:what|which|where|when|how (?:long|high|much|big|old))(?: (?:is|are|was|were)|['’]s)|(?:was|wie(?: (?:lang|lange|hoch|groß|alt|teuer))?|wo|wann|welche[rs]?) (?:ist|sind|war|waren|dauern|kosten)|(?:quel(?:le)?s?|où|combien(?: de temps)?) (?:est|sont|durent|coûtent)|quelle est la durée|(?:cuál(?:es)?|dónde|cuándo) (?:es|son|está|están)|cuánto (?:duran|cuestan|miden|pesan))\s+/iu;

const LIST_SEPARATOR = /,\s*(?:(?:and|or|und|oder|et|ou|y|e|o)\s+)?|\s(?:and|or|und|oder|et|ou|y|e|o)\s+/iu;

/** In the part of a list after its last comma. */
const LAST_LIST_CONJUNCTION = /\s(?:and|or|und|oder|et|ou|y|e|o)\s/iu;

const THING_ARTICLE = /^(?:the|my|our|your|der|die|das|den|dem|le|la|les|el|los|las|l['’])\s*/iu;
const END_MARKS = /(?<![?.!。？])[?.!。？]+$/u;

const LIST_SEPARATOR_CJK =
  /、(?:以及|和)?|(?<=[\p{Script=Han}\p{Script=Katakana}])(?:和|以及|跟|与|と)(?=[\p{Script=Han}\p{Script=Katakana}A-Za-z])/u;

const LIST_PREDICATE_CJK =
  /(?:(?:(?:分别|各)(?:是|为|有|在)?|是|在)(?:多少|多久|什么|哪里|哪儿)[^、，]{0,2}|吗|は(?:それぞれ)?(?:どう|どこ|何|いつ|いくら|どのくらい|どれくらい)[^、，は]{0,12}|(?:を|について)?)$/u;

/** A thing of a Chinese or Japanese list is short. */
const MAX_THING_CHARACTERS_CJK = 14;

const POSSESSIVE_CJK = /的|の/u;
const NO_NAME_CJK = /[，,。；]|什么|多少|多久|哪|谁|誰|何|いつ|どこ|いくら|几|[是在有为对更都将会]|[はがを]/u;

/** A longer sentence is searched as it is. Bounds the time for a hostile message. */
export const MAX_SENTENCE = 600;

/** More places where a question may begin are not tried, so that the time for a sentence is bounded. */
const MAX_STARTS = 8;
const ENDED = /[.!。！…:]\s*$/u;

/** Whether a question cannot be understood without what stands before it. */
export function isIncomplete(question: string, sentence = question): boolean {
  const { size } = questionTerms(question);
  if (size === 0 || !hasContent(question)) return true;
  if (size !== 1) return false;
  const isContinued = continues(sentence) && questionWordStarts(question)[0] !== 0;
  return isContinued || CLITIC.test(question) || refersBack(question);
}

/** The questions of one sentence; none if the sentence tells something. */
export function questionsOf(sentence: string, hasMarks: boolean, isLast = false): string[] {
  const hasMark = QUESTION_MARK.test(sentence);
  if (sentence.length > MAX_SENTENCE) return hasMark ? [sentence] : [];
  const whole = withoutTrailing(sentence.replace(OPENING, ''));
  if (whole === '') return [];
  if (CJK.test(whole)) return questionsOfCjk(whole, sentence, hasMarks);
  const consequence = hasMark ? (whole.split(CONSEQUENCE).at(-1) ?? whole) : whole;
  const isTold = tellsOfAuthor(whole.slice(0, whole.length - consequence.length));
  const start = isTold && !isIncomplete(consequence) ? consequence : whole;
  const text = withoutLeading(start);
  const isAsked = isRequest(start);
  const told = hasMark ? start : text;
  const preamble = hasMark || !hasMarks ? preambleEnd(told, hasMark) : 0;
  if (preamble > 0) return questionsOf(told.slice(preamble), hasMarks, isLast);
  const starts = questionWordStarts(text);
  const [first = -1, ...others] =
    isAsked && starts[0] === 0 ? clauses(text, starts) : questionStarts(text, starts);
  const before = text.slice(0, Math.max(0, first));
  const isBackground = speaksOfAuthor(before) && tellsOfAuthor(before);
  // Who writes question marks may leave out the last one.
  const canAsk = !hasMarks || (isLast && !ENDED.test(sentence) && starts[0] === 0);
  const asks = hasMark || isAsked || IMPERATIVE.test(text) || (canAsk && (first === 0 || isBackground));
  if (!asks) return [];
  const from = isBackground ? first : 0;
  if (others.length === 0) {
    const listed = listedThings(text.slice(from), isAsked);
    if (listed.length > 0) return listed;
  }
  return [from, ...others].map((start, index, all) => {
    const clause = text.slice(start, all[index + 1]);
    return all[index + 1] === undefined ? clause : clause.replace(COORDINATION, '');
  });
}

/** Whether a text before a question tells something of its author, or is courtesy: it asks nothing, and is no condition. */
function tellsOfAuthor(before: string): boolean {
  return isPersonal(before) && !isCondition(before) && !beginsAsQuestion(before);
}

/** What a sentence tells before its question, without courtesy. */
export function backgroundBefore(sentence: string, question: string): string {
  const told = sentence.slice(0, Math.max(0, sentence.indexOf(question)));
  return isCourtesy(told) ? '' : withoutLeading(told);
}

/**
 * Where apologies, chat and words about the author end, before the question of the same sentence. 0: nowhere, or the question
 * would lose its subject.
 */
function preambleEnd(text: string, hasMark: boolean): number {
  const colons = hasMark
    ? [...text.matchAll(PREAMBLE_COLON)].map(({ index, 0: end }) => index + end.length)
    : [];
  const candidates = [...questionWordStarts(text), ...contrastStarts(text), ...colons]
    .filter((end) => end > 0)
    .sort((a, b) => b - a)
    .slice(0, MAX_STARTS);
  return (
    candidates.find((end) => {
      const before = text.slice(0, end);
      const rest = text.slice(end);
      // A comma or "and" can also stand between two questions.
      const isJoined = COMMA.test(before) || CONJUNCTION.test(before);
      const isPreamble = !isJoined || isPolite(before);
      return isPreamble && tellsOfAuthor(before) && !isIncomplete(rest) && !refersBack(rest);
    }) ?? 0
  );
}

/** Where the dependent clauses of a request begin: "tell me what it costs and when it starts". */
function clauses(text: string, starts: readonly number[]): number[] {
  return starts.filter((start, index) => index === 0 || !isIncomplete(text.slice(start, starts[index + 1])));
}

/** Where the question of a sentence begins, and the ones that are coordinated with it. */
function questionStarts(text: string, starts: readonly number[]): number[] {
  const kept: number[] = [];
  let end = text.length;
  let isList = false;
  // From the end: a comma separates questions only in a list that ends with "and".
  for (const start of starts.slice(0, MAX_STARTS).toReversed()) {
    const before = text.slice(0, start);
    const isListed: boolean = CONJUNCTION.test(before) || (isList && COMMA.test(before));
    if (start !== starts[0] && !isListed) continue;
    isList ||= isListed;
    if (isIncomplete(text.slice(start, end))) continue;
    kept.unshift(start);
    end = start;
  }
  return kept;
}

function questionsOfCjk(whole: string, sentence: string, hasMarks: boolean): string[] {
  const text = withoutLeading(whole);
  const hasMark = QUESTION_MARK.test(sentence) || MARK_CJK.test(sentence);
  // Where other sentences have a mark, words such as 什么 are indefinite in those without: 什么都不知道。
  if (!hasMark && !isRequest(sentence) && (hasMarks || !ASKS_CJK.test(text))) return [];
  const listed = listedThingsCjk(text);
  if (listed.length > 0) return listed;
  const all = text.split(CLAUSE_CJK).map((clause) => withoutLeading(clause).replace(PARTICLES, ''));
  const clauses = all.filter(hasContent);
  // Background ends with the clause that tells of the author, or that a Japanese particle marks as an introduction.
  const asking = clauses.findIndex((clause) => ASKS_CJK.test(clause));
  const background = (asking < 0 ? clauses : clauses.slice(0, asking)).findLastIndex(
    (clause) => BACKGROUND_CJK.test(clause) && !CONDITION_CJK.test(clause),
  );
  const own = clauses.slice(background + 1);
  const isEachAsked = own.every((clause) => ASKS_CJK.test(clause) && questionTerms(clause).size > 0);
  if (own.length > 1 && isEachAsked) return own;
  const asked = own.join('，');
  return [questionTerms(asked).size > 0 ? asked : text];
}

/**
 * A question for each thing that a question lists: "What are the notice period, the probation period and the core hours?"
 * Empty if it lists fewer than three, or if the end of the last one may belong to all.
 *
 * @param isRequest the words before the list, such as "please tell me", are already removed
 */
function listedThings(question: string, isRequest: boolean): string[] {
  const asked = question.replace(/^¿/u, '');
  const prefix = LIST_PREFIX.exec(asked)?.[0] ?? '';
  if (prefix === '' && !isRequest) return [];
  const list = asked.slice(prefix.length).replace(END_MARKS, '');
  if (!LAST_LIST_CONJUNCTION.test(list.slice(list.lastIndexOf(',') + 1))) return [];
  const things = list.split(LIST_SEPARATOR).map((thing) => thing.trim());
  const haveArticles = things.every((thing) => THING_ARTICLE.test(thing));
  const areShort = things.every((thing) => thing !== '' && thing.split(/\s+/).length <= MAX_THING_WORDS);
  if (things.length < MIN_LISTED_THINGS || !areShort) return [];
  // "minimum, average and maximum salaries": a longer last thing may complete those before it.
  const lengths = things.map((thing) => thing.replace(THING_ARTICLE, '').split(/\s+/).length);
  const isCompleted = Math.max(...lengths.slice(0, -1)) < (lengths.at(-1) ?? 0);
  if (!haveArticles && isCompleted) return [];
  return thingQuestions(things, (thing) => `${prefix}${thing}`);
}

/** The same for Chinese and Japanese. What belongs to all stands before the first thing. */
function listedThingsCjk(question: string): string[] {
  const bare = question.replace(END_MARKS, '');
  if (!bare.includes('、') && bare.split(LIST_SEPARATOR_CJK).length < MIN_LISTED_THINGS) return [];
  const predicate = LIST_PREDICATE_CJK.exec(bare)?.[0] ?? '';
  const list = bare.slice(0, bare.length - predicate.length);
  const things = list.split(LIST_SEPARATOR_CJK).map((thing) => thing.trim());
  const areNames = things.every(
    (thing) => thing !== '' && thing.length <= MAX_THING_CHARACTERS_CJK && !NO_NAME_CJK.test(thing),
  );
  if (things.length < MIN_LISTED_THINGS || !areNames) return [];
  const [first = '', ...others] = things;
  if (POSSESSIVE_CJK.test(first) && !others.every((thing) => POSSESSIVE_CJK.test(thing))) return [];
  return thingQuestions(things, (thing) => `${thing}${predicate}`);
}

function thingQuestions(things: readonly string[], ask: (thing: string) => string): string[] {
  return things.every((thing) => questionTerms(thing).size > 0) ? things.map(ask) : [];
}
