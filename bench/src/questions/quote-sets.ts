import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseDocument } from '@citewell/documents';
import { AnswerKey, loadFaqCollection } from './faq-collection.js';
import { containsAnswer, loadManualQuestions, type ManualQuestion } from './manual-questions.js';

/** A quote of an answer, with the name of the document that it was taken from. */
export interface QuotedText {
  readonly document: string;
  readonly text: string;
}

/** A question, and the rule that decides whether a quote alone answers it. */
export interface QuotedQuestion {
  readonly question: string;
  readonly isAnsweredBy: (quote: QuotedText) => boolean;
}

/** Documents, and questions that they answer. */
export interface QuoteSet {
  readonly name: string;
  readonly files: readonly (readonly [name: string, bytes: Buffer])[];
  readonly questions: readonly QuotedQuestion[];
}

/**
 * The manual and its questions. A quote has to contain a phrase that answers, and the name of the function that the
 * phrase is about, if the question has names.
 */
export async function manualQuotes(manual: string, questionsFile: string): Promise<QuoteSet> {
  const bytes = await readFile(manual);
  // pdf.js transfers the buffer that it is given, so it gets a copy.
  const { text } = await parseDocument(Uint8Array.from(bytes), { fileType: 'application/pdf' });
  const { answerable } = await loadManualQuestions(questionsFile, text);
  return {
    name: `manual, ${basename(questionsFile, '.json')}`,
    files: [[basename(manual), bytes]],
    questions: answerable.map((one) => ({
      question: one.question,
      isAnsweredBy: (quote) => containsAnswer(one, quote) && containsName(one, quote),
    })),
  };
}

function containsName({ names = [] }: ManualQuestion, { text }: QuotedText): boolean {
  const words = new Set(text.match(/\w+/g));
  return names.length === 0 || names.some((name) => words.has(name));
}

/** A collection of `faq-collection.bench.ts`. At least half of a quote has to be part of the answer. */
export async function faqQuotes(folder: string): Promise<QuoteSet> {
  const { documents, questions } = await loadFaqCollection(folder);
  const key = await AnswerKey.of(documents);
  return {
    name: 'FAQs',
    files: Array.from(documents, ([name, markdown]) => [name, Buffer.from(markdown)] as const),
    questions: questions.map((one) => ({
      question: one.question,
      isAnsweredBy: (quote) => key.isRight(one, quote),
    })),
  };
}

interface Squad {
  readonly data: readonly {
    readonly paragraphs: readonly {
      readonly context: string;
      readonly qas: readonly { readonly question: string; readonly answers: readonly { text: string }[] }[];
    }[];
  }[];
}

/** One language of XQuAD; each paragraph is a document. A quote has to contain the answer of the collection. */
export async function xquadQuotes(folder: string, language: string): Promise<QuoteSet> {
  // SQuAD format. It is not validated: a wrong file fails below with a TypeError.
  const squad = JSON.parse(await readFile(join(folder, `xquad.${language}.json`), 'utf8')) as Squad;
  const paragraphs = squad.data.flatMap((article) => article.paragraphs);
  return {
    name: `XQuAD ${language}`,
    files: paragraphs.map(({ context }, n) => [`${n}.txt`, Buffer.from(context)] as const),
    questions: paragraphs.flatMap(({ qas }, n) =>
      qas.map(({ question, answers }) => ({
        question,
        isAnsweredBy: ({ document, text }: QuotedText) =>
          document === `${n}.txt` && answers.some((answer) => text.includes(answer.text)),
      })),
    ),
  };
}
