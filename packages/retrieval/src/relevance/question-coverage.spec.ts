import { describe, expect, it } from '@jest/globals';
import { AnalyzedQuestion } from '../question/analyzed-question.js';
import { encodeDocumentTerms } from '../sparse/sparse-encoder.js';
import { QuestionCoverage } from './question-coverage.js';

describe('QuestionCoverage', () => {
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
