import { listedThings, listedThingsCjk } from './listed-things.js';
import {
  ASKS_CJK,
  BACKGROUND_CJK,
  CLAUSE_CJK,
  CLITIC,
  COMMA,
  CONDITION_CJK,
  CONJUNCTION,
  CONSEQUENCE,
  COORDINATION,
  MARK_CJK,
  OPENING,
  PARTICLES,
  PREAMBLE_COLON,
  QUESTION_MARK,
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
import { continues, refersBack } from './references.js';

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
