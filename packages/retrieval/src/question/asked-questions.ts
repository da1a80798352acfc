import { AnalyzedQuestion } from './analyzed-question.js';
import { threadTexts } from './authored-text.js';
import { ABBREVIATION, continues, MARK_CJK, QUESTION_MARK } from './message-patterns.js';
import {
  hasContent,
  hasCourtesy,
  isCourtesy,
  isGreeting,
  questionWordStarts,
  withoutLeading,
  withoutTrailing,
} from './courtesy.js';
import { questionTerms } from './question-terms.js';
import { backgroundBefore, isIncomplete, MAX_SENTENCE, questionsOf } from './sentence-questions.js';
import { boundMarks } from '../analysis/word-folder.js';
import { sentencesOf } from '../analysis/sentence-window.js';
import { withReadableNames } from '../names/searchable-names.js';

/** More questions in one message are not searched. */
export const MAX_QUESTIONS = 5;
/** Sentences that are searched for the subject of a question that names none. */
const MAX_SUBJECTS = 3;

/** A sentence of a message, and the questions in it. */
interface MessagePart {
  readonly sentence: string;
  readonly questions: readonly string[];
  /** Those of the questions that cannot be understood alone. */
  readonly incomplete: ReadonlySet<string>;
  /** What the sentence tells besides. */
  readonly background: string;
}

/**
 * The questions of a message, each without greetings, thanks, instructions about the form of the answer, quoted mail and
 * signature. A question that names no subject ("How do I fix it?") has that of the sentences near it. Other background is not
 * part of a question, but helps to rank: see {@link AnalyzedQuestion}. A message that asks nothing (a few keywords) is one
 * question. At least one, at most {@link MAX_QUESTIONS}, in order.
 *
 * Works by words of the languages of the product, without a model. Text in another language is kept.
 */
export function analyzedQuestions(message: string): AnalyzedQuestion[] {
  const parts = partsOfThread(message);
  const background = parts.map((part) => part.background).join('\n');
  const all = parts.flatMap((part, index) =>
    part.questions.map((question) => {
      const subjects = part.incomplete.has(question) ? subjectsOf(parts, index) : [];
      return { text: [...subjects, question].join(' '), subjects, question };
    }),
  );
  // "Would it be possible to find out the following?" asks nothing beside another question.
  const own = all.filter(({ question, subjects }) => hasContent(question) || subjects.length > 0);
  const questions = distinctQuestions(own.length > 0 ? own : all);
  if (questions.length > 0) {
    return questions.map(({ text, subjects, question }, index) => {
      const readings = subjects.map((subject) => `${subject} ${question}`);
      return new AnalyzedQuestion(text, {
        background,
        readings,
        isContinuation: index === 0 && isContinuation(message, text),
      });
    });
  }
  const rest = withoutTrailing(parts.map(({ sentence }) => sentence).join(' '));
  const text = rest === '' ? message.trim() : rest;
  return [new AnalyzedQuestion(text, { isContinuation: isContinuation(message, text) })];
}

/** "And for children?", "What about dogs?"; not "And what is the notice period?" */
function isContinuation(message: string, question: string): boolean {
  return continues(question) || (continues(message) && questionWordStarts(question)[0] !== 0);
}

/**
 * Whether a message is a greeting, thanks or an apology, and asks nothing: "Thanks!"
 *
 * @param isFirst whether it is the first message of its conversation
 */
export function isSmallTalk(message: string, isFirst: boolean): boolean {
  if (message.length > MAX_SENTENCE) return false;
  const sentences = messageSentences(message);
  const asks = QUESTION_MARK.test(message) || MARK_CJK.test(message);
  return !asks && sentences.every((sentence) => isGreeting(sentence, isFirst)) && sentences.some(hasCourtesy);
}

/** The texts of {@link analyzedQuestions}. */
export function askedQuestions(message: string): string[] {
  return analyzedQuestions(message).map(({ text }) => text);
}

/**
 * Those of the author's own text. If it has no question that can be understood alone ("Can you answer this?"), also those of
 * the mails below it, down to the first one that asks.
 */
function partsOfThread(message: string): MessagePart[] {
  const [own = [], ...earlier] = threadTexts(message).map(partsOf);
  const read = [own];
  for (const parts of earlier) {
    if (read.some(asks)) break;
    read.push(parts);
  }
  const hasQuestion = read.some((parts) => parts.some(({ questions }) => questions.length > 0));
  if (!hasQuestion) return own.length > 0 ? own : read.flat();
  // "What do you think?" above a question of its own asks nothing more.
  const [last = [], ...before] = read.toReversed();
  if (!asks(last)) return read.flat();
  const added = before.toReversed().flat().map(withoutEmptyQuestions);
  // "And on Sundays?" above a question asks the same of Sundays.
  const isContinued = added.some(({ questions }) => questions.length > 0);
  return isContinued ? [...last, ...added] : [...added, ...last];
}

function asks(parts: readonly MessagePart[]): boolean {
  return parts.some(({ questions, incomplete }) => questions.some((question) => !incomplete.has(question)));
}

/** Without the questions that have no words of their own: "What do you think?" */
function withoutEmptyQuestions(part: MessagePart): MessagePart {
  const questions = part.questions.filter(hasContent);
  return questions.length > 0 ? { ...part, questions } : { ...part, questions, background: part.sentence };
}

function partsOf(text: string): MessagePart[] {
  const sentences = messageSentences(text)
    .map((raw) => ({ raw, sentence: raw.length > MAX_SENTENCE ? raw : withoutLeading(raw) }))
    .filter(({ raw, sentence }) => /[\p{L}\p{N}]/u.test(sentence) && !isCourtesy(raw));
  const hasMarks = sentences.some(({ raw }) => QUESTION_MARK.test(raw) || MARK_CJK.test(raw));
  return sentences.map(({ raw, sentence }, index) => {
    const questions = questionsOf(raw, hasMarks, index === sentences.length - 1);
    const incomplete = new Set(questions.filter((question) => isIncomplete(question, raw)));
    const [first] = questions;
    const background = first === undefined ? sentence : backgroundBefore(sentence, first);
    return { sentence, questions, incomplete, background };
  });
}

/**
 * The sentences that tell what the question of a part is about: those before it, back to the last one that asks, or those after
 * it if there are none.
 */
function subjectsOf(parts: readonly MessagePart[], index: number): string[] {
  const before = parts.slice(Math.max(0, index - MAX_SUBJECTS), index);
  const asked = before.findLastIndex(({ questions }) => questions.length > 0);
  const after = parts.slice(index + 1, index + 1 + MAX_SUBJECTS);
  const next = after.findIndex(({ questions }) => questions.length > 0);
  const near = index > 0 ? before.slice(Math.max(0, asked)) : after.slice(0, next < 0 ? undefined : next);
  return near.map(({ sentence }) => sentence);
}

/** Drops questions without content, and ones that ask for the same words again. */
function distinctQuestions<Question extends { readonly text: string }>(
  questions: readonly Question[],
): Question[] {
  const seen = new Map<string, Question>();
  for (const question of questions) {
    const key = [...questionTerms(question.text).keys()].sort().join(' ');
    if (key !== '' && !seen.has(key)) seen.set(key, question);
  }
  return [...seen.values()].slice(0, MAX_QUESTIONS);
}

/** Longer messages are truncated: questions are near the beginning or the end. */
const MAX_READ = 8_192;
const MAX_SENTENCES = 400;
/** ":)" after a sentence. */
const EMOTICON = /(?<=\S) [:;]-?[)(DP](?=\s|$)/gu;
/** More than the longest abbreviation and the mark before it. */
const MAX_ABBREVIATION = 16;

/**
 * The sentences of a text, with readable names of files and without shouting. Of a long text, those at its beginning and its
 * end.
 */
function messageSentences(message: string): string[] {
  const text = withoutShouting(
    withReadableNames(boundMarks(clip(message)).normalize('NFC').replace(EMOTICON, '.')),
  );
  const all = paragraphs(text).flatMap(sentences);
  if (all.length <= MAX_SENTENCES) return all;
  return [...all.slice(0, MAX_SENTENCES / 2), ...all.slice(-MAX_SENTENCES / 2)];
}

/** The beginning and the end of a long message. */
function clip(text: string): string {
  if (text.length <= MAX_READ) return text;
  return `${text.slice(0, MAX_READ / 2).toWellFormed()}\n\n${text.slice(-MAX_READ / 2).toWellFormed()}`;
}

/** Capitals carry no meaning where all letters are capitals. */
function withoutShouting(text: string): string {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0;
  return letters >= 8 && capitals > letters * 0.7 ? text.toLowerCase() : text;
}

/** Joins the lines of a paragraph, which a mail program may have broken. A list item is a paragraph. */
function paragraphs(text: string): string[] {
  const joined: string[] = [];
  let isOpen = false;
  for (const broken of text.split('\n')) {
    const raw = broken.replace(/\s+/g, ' ');
    const line = raw.replace(/^\s*(?:[-*•·–]|\(?\d{1,2}[.)、]|\(?[a-z][.)])\s+/iu, '');
    const isItem = line !== raw.trimStart() && line !== raw;
    if (isOpen && !isItem && raw.trim() !== '') joined[joined.length - 1] += ` ${line.trim()}`;
    else if (line.trim() !== '') joined.push(line.trim());
    isOpen = raw.trim() !== '' && !/[.!?。！？:：,，]\s*$/u.test(raw);
  }
  return joined;
}

/** The sentences of a paragraph. An abbreviation or an ordinal number does not end one. */
function sentences(paragraph: string): string[] {
  const found: string[] = [];
  let start = 0;
  const ranges = sentencesOf(paragraph);
  ranges.forEach(({ end }, index) => {
    const next = ranges[index + 1];
    const text = paragraph.slice(start, end);
    if (
      next &&
      ABBREVIATION.test(text.slice(-MAX_ABBREVIATION)) &&
      questionWordStarts(paragraph.slice(next.start, next.end))[0] !== 0
    )
      return;
    found.push(text);
    start = next?.start ?? end;
  });
  return found;
}
