import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY } from '../product/standalone-process.js';

const FOLDER = join(REPOSITORY, 'bench/wrapped-questions');

/** A question, the same as a dependent clause ("how long it lasts"), and a phrase that an answer contains. */
type Question = readonly [question: string, clause: string, expected: string];
type UnansweredQuestion = readonly [question: string, clause: string];
/** A sentence with three questions, and their numbers. */
type JointQuestion = readonly [text: string, first: number, second: number, third: number];

/** A language of the bench: texts of a small company, and messages that people write to it. */
export interface WrappedQuestions {
  readonly language: string;
  /** Texts by name. */
  readonly documents: Readonly<Record<string, string>>;
  readonly questions: readonly Question[];
  /** Questions that the texts do not answer. */
  readonly unanswerable: readonly UnansweredQuestion[];
  /**
   * Templates by kind. `{q}` stands for the question, `{Q}` for the question in capitals, `{l}` for the question in lower case
   * without punctuation, and `{i}` for the dependent clause.
   */
  readonly wrappings: Readonly<Record<string, readonly string[]>>;
  /** Templates by kind, with `{1}`, `{2}` and `{3}`. */
  readonly several: Readonly<Record<string, readonly string[]>>;
  readonly joint: readonly JointQuestion[];
  /** Texts that answer the same questions about several subjects, and messages whose background tells the subject. */
  readonly subjects: {
    readonly documents: Readonly<Record<string, string>>;
    readonly messages: readonly (readonly [message: string, expected: string])[];
    readonly unanswerable: readonly string[];
  };
}

/** A message with several questions, and a phrase for each that its answer contains. */
export interface SeveralQuestions {
  readonly text: string;
  readonly expected: readonly string[];
}

export async function loadWrappedQuestions(): Promise<WrappedQuestions[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.json')).toSorted();
  return Promise.all(
    names.map(async (name) => ({
      ...(JSON.parse(await readFile(join(FOLDER, name), 'utf8')) as Omit<WrappedQuestions, 'language'>),
      language: name.replace('.json', ''),
    })),
  );
}

/** The question in the templates of a kind, in turn. */
export function wrap(
  templates: readonly string[],
  [question, clause]: readonly [string, string, ...string[]],
  n: number,
): string {
  const dictated = question
    .toLowerCase()
    .replaceAll(/[¿?？。,，、]/g, '')
    .trim();
  return (templates[n % templates.length] ?? '{q}')
    .replace('{q}', () => question)
    .replace('{Q}', () => question.toUpperCase())
    .replace('{l}', () => dictated)
    .replace('{i}', () => clause);
}

/** Each question once in each kind, three at a time, and the joint questions. */
export function severalQuestions({
  questions,
  several,
  joint,
}: WrappedQuestions): Record<string, SeveralQuestions[]> {
  const third = Math.trunc(questions.length / 3);
  const byKind = Object.entries(several).map(([kind, templates]) => {
    const messages = Array.from({ length: third }, (_, n): SeveralQuestions => {
      const chosen = [questions[n], questions[n + third], questions[n + 2 * third]].filter(
        (one) => one !== undefined,
      );
      const template = templates[n % templates.length] ?? '';
      const text = chosen.reduce(
        (filled, [question], at) => filled.replace(`{${at + 1}}`, () => question),
        template,
      );
      return { text, expected: chosen.map(([, , expected]) => expected) };
    });
    return [kind, messages] as const;
  });
  const jointMessages = joint.map(([text, ...numbers]): SeveralQuestions => ({
    text,
    expected: numbers.map((number) => questions[number]?.[2] ?? ''),
  }));
  return { ...Object.fromEntries(byKind), joint: jointMessages };
}
