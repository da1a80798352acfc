import { analyze, AnalyzedQuestion, termId } from '@citewell/retrieval';
import { expect, it } from '@jest/globals';
import { listedPassages } from './listed-passages.js';

const COURSES = [
  'Fencing takes place on Friday at six.',
  'Chess takes place on Friday at six.',
  'Yoga takes place on Monday at six.',
  'Cooking takes place on Friday at six.',
];

it.each<[question: string, texts: string[], listed: number[]]>([
  ['List all courses on Friday.', COURSES, [0, 1, 3]],
  // A question for a single thing that is not there.
  ['Which courses are on Friday?', COURSES, []],
  // Two words are missing.
  ['List all outdoor courses on Friday.', COURSES, []],
  ['List all courses on Sunday.', COURSES, []],
  ['List all courses on Monday.', COURSES, []],
  // Texts that only name the day.
  [
    'List all courses on Friday.',
    ['We close early on Friday.', 'Good Friday is a holiday.', 'The Friday report lists sales.'],
    [],
  ],
])('%s', (text, texts, listed) => {
  const question = new AnalyzedQuestion(text);
  const asked = [...question.weights.keys()];
  const passages = texts.map((passage) => {
    const words = new Set(analyze(passage));
    return { text: passage, terms: asked.filter((term) => words.has(term)).map(termId) };
  });
  expect(listedPassages(question, passages).map((passage) => passages.indexOf(passage))).toEqual(listed);
});
