import { expect, it } from '@jest/globals';
import type { Language } from '../question/function-words.js';
import { overviewAnswer, overviewQuestion } from './overview-answer.js';

const NEWEST = new Date('2026-11-28T23:30:00Z');
const library = (name: string, kinds: [string, number][] = []) => ({
  name,
  documents: 12,
  kinds: new Map(kinds),
  newest: NEWEST,
});
const document = (name: string, text: string, headingPath: string[] = []) => ({
  name,
  passage: { text, start: 7, headingPath },
});

it('describes libraries, documents with checkable quotes, and questions', () => {
  const { answer, quotes } = overviewAnswer('en', {
    libraries: [
      library('Manuals', [
        ['DOCX', 3],
        ['PDF', 7],
      ]),
      { ...library('Notes'), summary: 'Lists of\nparts [1].' },
    ],
    documents: [
      document('pump.pdf', 'The pump\nIt moves water,\nand needs no oil.', ['The pump']),
      document('list [2].txt', 'A list of [parts].'),
    ],
    questions: ['What does “pump.pdf” say about “Warranty”?'],
  });
  expect(answer).toBe(`- **Manuals** – documents: 12 (7 PDF, 3 DOCX), newest: November 28, 2026
- **Notes** – documents: 12, newest: November 28, 2026. Lists of parts (1).

The newest documents:

- pump.pdf: “The pump — It moves water, and needs no oil.” [1]
- list (2).txt: “A list of (parts).” [2]

You can ask, for example:

- What does “pump.pdf” say about “Warranty”?`);
  const [first] = quotes.values();
  expect(first).toEqual({ start: 7, end: 49, text: 'The pump\nIt moves water,\nand needs no oil.' });
});

it('leaves out what there is nothing of, and speaks other languages', () => {
  const overview = { libraries: [library('Pumpen')], documents: [], questions: [] };
  expect(overviewAnswer('de', overview).answer).toBe(
    '- **Pumpen** – Dokumente: 12, neuestes: 28. November 2026',
  );
});

it.each<[Language, string | null, string]>([
  ['en', 'Warranty', 'What does “a.pdf” say about “Warranty”?'],
  ['de', 'Garantie $&', 'Was steht in „a.pdf“ über „Garantie $&“?'],
  ['de', null, 'Worum geht es in „a.pdf“?'],
  // A heading of a list of frequent questions.
  ['zh', 'How long is the warranty? ', 'How long is the warranty?'],
])('asks, in %j for the heading %j: %j', (language, heading, expected) =>
  expect(overviewQuestion(language, 'a.pdf', heading)).toBe(expected),
);
