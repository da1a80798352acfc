import { readFile, stat } from 'node:fs/promises';
import type { CreateEvaluation } from '@citewell/sdk';
import { UsageError } from '../usage-error.js';
import { readBeirQuestions } from './beir-folder.js';

/** The questions of an evaluation, as the API takes them. */
export type QuestionSet = Pick<CreateEvaluation, 'csv' | 'questions'>;

/** Reads a CSV file, or the questions of a folder in the format of BEIR. @throws {@link UsageError} */
export async function readQuestionSet(path: string): Promise<QuestionSet & { isBeir: boolean }> {
  const isFolder = (await stat(path)).isDirectory();
  if (isFolder) return { questions: await readBeirQuestions(path), isBeir: true };
  const bytes = await readFile(path);
  try {
    return { csv: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), isBeir: false };
  } catch {
    throw new UsageError(`${path} is not text in UTF-8. Save it as "CSV UTF-8" in the spreadsheet.`);
  }
}
