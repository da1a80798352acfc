import { expect, it } from '@jest/globals';
import { AnalyzedQuestion } from './analyzed-question.js';

it('AnalyzedQuestion is analyzed once', () => {
  const question = new AnalyzedQuestion('Where does Perl 5 keep modules?');
  expect(question.terms).toEqual(expect.arrayContaining(['perl', '5', 'keep', 'modul']));
  expect(question.terms).toBe(question.terms);
  expect(question.weights).toBe(question.weights);
});

it('AnalyzedQuestion weighs the background by a quarter, and by half of the question at most', () => {
  const weightsOf = (background: string) => [
    ...new AnalyzedQuestion('Is memory short?', { background }).backgroundWeights,
  ];
  expect(weightsOf('')).toEqual([]);
  expect(weightsOf('a huge matrix of short rows')).toEqual([
    ['huge', 0.25],
    ['matrix', 0.25],
    ['row', 0.25],
  ]);
  const many = weightsOf('one huge sparse matrix has rows, columns, entries, zeros, blocks');
  expect(many.reduce((sum, [, weight]) => sum + weight, 0)).toBeCloseTo(1);
});

it('AnalyzedQuestion weighs capitalised words inside a sentence, whatever is before them', () => {
  const spaces = ' '.repeat(1_000);
  const weightOf = (text: string, term: string) => new AnalyzedQuestion(text).weights.get(term);
  expect([
    weightOf(`keep${spaces}Modules`, 'modul'),
    weightOf(`keep "Modules`, 'modul'),
    weightOf(`keep.${spaces}Modules`, 'modul'),
    weightOf('Modules keep', 'modul'),
    weightOf('kéep\n\t2', '2'),
  ]).toEqual([1.5, 1.5, 1, 1, 1.5]);
});
