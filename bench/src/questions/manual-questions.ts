import { readFile } from 'node:fs/promises';

/** A question and phrases of the manual. A passage that contains one of the phrases answers the question. */
export interface ManualQuestion {
  readonly question: string;
  readonly answers: readonly string[];
  /** Functions of which one is the answer, where a phrase of the manual does not name it. */
  readonly names?: readonly string[];
}

/** A file of questions about a manual, such as `bench/manual-questions/octave.json`. */
export interface ManualQuestions {
  readonly answerable: readonly ManualQuestion[];
  readonly unanswerable: readonly string[];
}

/**
 * @param manual text of the manual
 * @throws Error if a phrase does not occur in the manual
 */
export async function loadManualQuestions(path: string, manual: string): Promise<ManualQuestions> {
  // A file of this repository, or one of the same form. Its shape is not validated.
  const questions = JSON.parse(await readFile(path, 'utf8')) as ManualQuestions;
  const normalized = withSingleSpaces(manual);
  const missing = questions.answerable
    .flatMap(({ answers }) => answers)
    .filter((answer) => !normalized.includes(answer));
  if (missing.length > 0) throw new Error(`The manual does not contain: ${missing.join(' | ')}`);
  return questions;
}

/** Whether a text contains an answer to a question. White space does not matter. */
export function containsAnswer({ answers }: ManualQuestion, { text }: { text: string }): boolean {
  const normalized = withSingleSpaces(text);
  return answers.some((answer) => normalized.includes(answer));
}

function withSingleSpaces(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
