import { listedThings, listedThingsCjk } from './listed-things.js';
import {
  AFTER_PREAMBLE_INSIDE,
  ASKS_CJK,
  BACKGROUND_CJK,
  CHAT,
  CJK,
  CLAUSE_CJK,
  CLITIC,
  CLAUSE_END,
  CLAUSE_START,
  COMMA,
  CONDITION,
  CONDITION_CJK,
  CONJUNCTION,
  CONSEQUENCE,
  COORDINATION,
  COURTESY,
  FORM,
  GENERIC,
  LEADING,
  LEAD_IN,
  MARK_CJK,
  OFFER,
  OPENING,
  PARTICLES,
  PREAMBLE_COLON,
  QUESTION_INSIDE,
  QUESTION_MARK,
  REQUEST,
  REQUEST_CJK,
  SELF,
  STARTS_QUESTION,
  TRAILING,
  TRAILING_CJK,
} from './message-patterns.js';
import { IMPERATIVE, questionTerms } from './question-terms.js';
import { continues, refersBack } from './references.js';

/** A longer sentence is searched as it is. Together the limits bound the time for a hostile message. */
const MAX_SENTENCE = 600;
/** Where the end of a sentence is searched for thanks. */
const TAIL = 100;

/** A sentence without the courtesy at its beginning. */
export function bareSentence(sentence: string): string {
  return sentence.length > MAX_SENTENCE ? sentence : withoutCourtesy(withoutLeading(sentence));
}

function withoutLeading(sentence: string): string {
  let rest = sentence.trim();
  for (let at = 0; at < 8; at += 1) {
    const shorter = rest.replace(OPENING, '').replace(LEADING, '');
    if (shorter === rest) break;
    rest = shorter;
  }
  return rest;
}

export function withoutTrailing(sentence: string): string {
  const head = sentence.slice(0, -TAIL);
  let rest = sentence.slice(-TAIL);
  for (let at = 0; at < 4; at += 1) {
    const shorter = rest.replace(TRAILING, '').replace(FORM, '').replace(TRAILING_CJK, '');
    if (shorter === rest || !/\p{L}/u.test(head + shorter)) break;
    rest = shorter;
  }
  return (head + rest).trim();
}

/** "It is urgent, can I carry over my vacation?" asks after its first clause. */
function withoutCourtesy(sentence: string): string {
  if (!QUESTION_MARK.test(sentence) || !COURTESY.test(sentence)) return sentence;
  for (const { index, 0: end } of sentence.matchAll(CLAUSE_END)) {
    const rest = withoutLeading(sentence.slice(index + end.length));
    if (!COURTESY.test(rest) && questionTerms(rest).size > 0) return rest;
  }
  return sentence;
}

/** Whether a question cannot be understood without what stands before it. */
export function isIncomplete(question: string, sentence = question): boolean {
  const { size } = questionTerms(question);
  if (GENERIC.test(question)) return true;
  if (size !== 1) return size === 0;
  const isContinued = continues(sentence) && !STARTS_QUESTION.test(question);
  return isContinued || CLITIC.test(question) || refersBack(question);
}

export function isCourtesy(sentence: string): boolean {
  if (sentence.length > MAX_SENTENCE || !COURTESY.test(sentence)) return false;
  // "Thanks for the manual, what is the notice period?" asks after its courtesy.
  return questionStarts(sentence).length === 0 && requestedOf(sentence) === undefined;
}

/** The questions of one sentence; none if the sentence tells something. */
export function questionsOf(sentence: string, hasMarks: boolean): string[] {
  const hasMark = QUESTION_MARK.test(sentence);
  const whole = withoutTrailing(sentence);
  if (whole === '') return [];
  if (whole.length > MAX_SENTENCE) return hasMark ? [whole] : [];
  if (CJK.test(whole)) return questionsOfCjk(whole, sentence, hasMarks);
  const consequence = hasMark ? (whole.split(CONSEQUENCE).at(-1) ?? whole) : whole;
  const start = isIncomplete(consequence) ? whole : consequence;
  const requested = requestedOf(start);
  const bare = requested ?? withoutLeading(start.replace(OPENING, '').replace(LEAD_IN, ''));
  const text = /\p{L}/u.test(bare) ? bare : whole;
  const isRequest = text !== whole;
  const preamble = preambleEnd(text, hasMark);
  if (preamble > 0) return questionsOf(sentence.slice(sentence.indexOf(text.slice(preamble))), hasMarks);
  const [first = -1, ...others] = isRequest ? clauseStarts(text) : questionStarts(text);
  const before = text.slice(0, Math.max(0, first));
  const isBackground = SELF.test(before) && !CONDITION.test(before);
  const asks = hasMark || isRequest || first === 0 || isBackground || IMPERATIVE.test(text);
  if (!asks) return [];
  const from = isBackground ? first : 0;
  if (others.length === 0) {
    const listed = listedThings(withoutTrailing(text.slice(from)), isRequest);
    if (listed.length > 0) return listed;
  }
  const starts = [from, ...others];
  return starts.map((start, index) => {
    const clause = text.slice(start, starts[index + 1]);
    return withoutTrailing(starts[index + 1] === undefined ? clause : clause.replace(COORDINATION, ''));
  });
}

/** What a sentence tells before its question, without courtesy. */
export function backgroundBefore(sentence: string, question: string): string {
  const before = sentence.slice(0, Math.max(0, sentence.indexOf(question)));
  const told = withoutLeading(before).replace(LEAD_IN, '').replace(REQUEST, '');
  return COURTESY.test(told) ? '' : told;
}

/** What a request asks for, if courtesy stands before the request. */
function requestedOf(sentence: string): string | undefined {
  const cut = sentence.replace(REQUEST, '');
  const rest = withoutLeading(cut);
  return cut !== sentence && !OFFER.test(rest) && questionTerms(rest).size > 0 ? rest : undefined;
}

/**
 * Where apologies, chat and words about the author end, before the question of the same sentence. 0: nowhere, or the question
 * would lose its subject.
 */
function preambleEnd(text: string, hasMark: boolean): number {
  const inside = [...text.matchAll(AFTER_PREAMBLE_INSIDE)];
  const ends = hasMark
    ? [...text.matchAll(PREAMBLE_COLON)].map(({ index, 0: end }) => index + end.length)
    : [];
  const candidates = [...inside.map(({ index }) => index), ...ends].sort((a, b) => b - a);
  return (
    candidates.find((end) => {
      const before = text.slice(0, end);
      const rest = text.slice(end);
      if (CONDITION.test(before) || isIncomplete(rest)) return false;
      if (refersBack(rest)) return false;
      return SELF.test(before) || CHAT.test(before) || COURTESY.test(before);
    }) ?? 0
  );
}

/** Where the dependent clauses of a request begin. */
function clauseStarts(text: string): number[] {
  const starts = [...text.matchAll(CLAUSE_START)].map(({ index }) => index);
  if (starts[0] !== 0) return questionStarts(text);
  return starts.filter((start, index) => index === 0 || !isIncomplete(text.slice(start, starts[index + 1])));
}

/** Where the question of a sentence begins, and the ones that are coordinated with it. */
function questionStarts(text: string): number[] {
  const starts = [...text.matchAll(QUESTION_INSIDE)].map(({ index }) => index);
  const kept: number[] = [];
  let end = text.length;
  let isList = false;
  // From the end: a comma separates questions only in a list that ends with "and".
  for (const start of starts.toReversed()) {
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
  const text = withoutLeading(whole).replace(LEAD_IN, '');
  const hasMark = QUESTION_MARK.test(sentence) || MARK_CJK.test(sentence);
  const isRequest = text !== whole || REQUEST_CJK.test(sentence);
  // Where other sentences have a mark, words such as 什么 are indefinite in those without: 什么都不知道。
  if (!hasMark && !isRequest && (hasMarks || !ASKS_CJK.test(text))) return [];
  const listed = listedThingsCjk(text);
  if (listed.length > 0) return listed;
  const all = text
    .split(CLAUSE_CJK)
    .map((clause) => withoutLeading(clause).replace(LEAD_IN, '').replace(PARTICLES, ''));
  const clauses = all.filter((clause) => clause !== '' && !COURTESY.test(clause));
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
