import { MARK_CJK, QUESTION_MARK } from './message-patterns.js';
import { messageSentences } from './message-sentences.js';
import { questionTerms } from './question-terms.js';
import {
  bareSentence,
  isCourtesy,
  isIncomplete,
  questionsOf,
  withoutTrailing,
} from './sentence-questions.js';

/** More questions in one message are not searched. */
export const MAX_QUESTIONS = 5;

/**
 * The questions of a message, each without greetings, thanks, instructions about the form of the answer, quoted mail and
 * signature. Background sentences are left out where a sentence asks. A message that asks nothing (a few keywords) is one
 * question. At least one, at most {@link MAX_QUESTIONS}, in order.
 *
 * Works by phrases of the languages of the product, without a model. Text in another language is kept.
 */
export function askedQuestions(message: string): string[] {
  const parts = messageSentences(message)
    .map((raw) => ({ raw, sentence: bareSentence(raw) }))
    .filter(({ sentence }) => /[\p{L}\p{N}]/u.test(sentence) && !isCourtesy(sentence));
  const questions: string[] = [];
  const hasMarks = parts.some(({ raw }) => QUESTION_MARK.test(raw) || MARK_CJK.test(raw));
  parts.forEach(({ raw, sentence }, index) => {
    for (const question of questionsOf(sentence, hasMarks)) {
      // "How long is it?" is about what the sentence before it says.
      const before = parts[index - 1]?.sentence;
      questions.push(
        before !== undefined && isIncomplete(question, raw) ? `${before} ${question}` : question,
      );
    }
  });
  const distinct = distinctQuestions(questions);
  if (distinct.length > 0) return distinct;
  const rest = withoutTrailing(parts.map(({ sentence }) => sentence).join(' '));
  return [rest === '' ? message.trim() : rest];
}

/** Drops questions without content, and ones that ask for the same words again. */
function distinctQuestions(questions: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const question of questions) {
    const key = [...questionTerms(question).keys()].sort().join(' ');
    if (key !== '' && !seen.has(key)) seen.set(key, question.trim());
  }
  return [...seen.values()].slice(0, MAX_QUESTIONS);
}
