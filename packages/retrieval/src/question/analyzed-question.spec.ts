import { expect, it } from '@jest/globals';
import { AnalyzedQuestion } from './analyzed-question.js';

it('AnalyzedQuestion is analyzed once', () => {
  const question = new AnalyzedQuestion('Where does Perl 5 keep modules?');
  expect(question.terms).toEqual(expect.arrayContaining(['perl', '5', 'keep', 'modul']));
  expect(question.terms).toBe(question.terms);
  expect(question.weights).toBe(question.weights);
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
