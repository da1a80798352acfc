import { describe, expect, it } from '@jest/globals';
import { AnalyzedQuestion } from '../question/analyzed-question.js';
import { encodeDocumentTerms } from '../sparse/sparse-encoder.js';
import { QuestionCoverage } from './question-coverage.js';

describe('QuestionCoverage', () => {
  const idsOf = (text: string): number[] => encodeDocumentTerms(text).indices;

  it('leaves out the background, and tells its share', () => {
    const background = 'The matrix has many zeros.';
    const coverage = new QuestionCoverage(new AnalyzedQuestion('How do I save memory?', { background }));
    const passage = idsOf('A sparse matrix needs less memory.');
    expect(coverage.of(passage)).toBeCloseTo(1 / 2);
    expect(coverage.ownShare(passage)).toBeCloseTo(1 / 1.25);
    expect(coverage.ownShare(idsOf('memory'))).toBe(1);
    expect(coverage.ownShare(idsOf('matrix'))).toBe(0);
  });

  it('has the best reading of a question that names no subject, by words that some passage has', () => {
    const readings = [
      'We called the hotline. How do I fix it?',
      'The printer is jammed again. How do I fix it?',
    ];
    const question = new AnalyzedQuestion(readings.join(' '), { readings });
    const passages = ['printers jam', 'fix dishwashers'].map(idsOf);
    const [printer = [], dishwasher = []] = passages;
    const coverage = new QuestionCoverage(question, passages.flat());
    expect(coverage.of(printer)).toBeCloseTo(2 / 3);
    expect(coverage.of(dishwasher)).toBeCloseTo(1);
    expect(new QuestionCoverage(question).of(printer)).toBeCloseTo(2 / 3);
  });

  it.each<[name: string, question: string, text: string, coverage: number]>([
    [
      'counts terms, not function words',
      'How do I change the colour of a line?',
      'Change its colour.',
      2 / 3,
    ],
    ['counts each form of a word', 'How do I import?', 'importing files', 1],
    ['weighs names and numbers', 'Where does Perl keep modules?', 'Modules are files.', 1 / 3.5],
    ['counts the month of May', 'Which minutes are of May?', 'minutes may', 1],
    ['finds identifiers by their parts', 'What is maxRetries?', 'the maximum of retries: max_retries', 1],
    ['allows for bigrams across words', '飞机的机翼有多长', '机翼长三十米', 0.75],
    ['returns 0 without terms', 'Who are you?', 'who are you', 0],
  ])('%s', (_, question, text, coverage) => {
    expect(
      new QuestionCoverage(new AnalyzedQuestion(question)).of(encodeDocumentTerms(text).indices),
    ).toBeCloseTo(coverage);
  });
});
