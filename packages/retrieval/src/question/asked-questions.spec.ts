import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { askedQuestions, MAX_QUESTIONS } from './asked-questions.js';
import { questionTerms } from './question-terms.js';
import { BARE_QUESTIONS, WRAPPINGS } from './wrapped-questions.fixtures.js';

const termsOf = (question: string): string[] => [...questionTerms(question).keys()].sort();
const termsOfAll = (message: string): string[][] => askedQuestions(message).map(termsOf);

describe('askedQuestions', () => {
  for (const [language, wrappings] of Object.entries(WRAPPINGS)) {
    const questions = BARE_QUESTIONS[language] ?? [];
    it.each(Object.entries(wrappings))(`finds the question in ${language} with %s`, (_, wrap) => {
      for (const question of questions) expect(termsOfAll(wrap(question))).toEqual([termsOf(question)]);
    });

    it(`finds three questions in ${language}, in a line and in a list`, () => {
      const three = questions.slice(0, 3);
      const expected = three.map(termsOf);
      expect(termsOfAll(three.join(' '))).toEqual(expected);
      expect(termsOfAll(three.map((question, index) => `${index + 1}. ${question}`).join('\n'))).toEqual(
        expected,
      );
    });
  }

  it.each<[message: string, questions: string[]]>([
    ['notice period', ['notice period']],
    ['error E-1234 when starting the pump', ['error E-1234 when starting the pump']],
    ['First aid kit location', ['First aid kit location']],
    ['Right of withdrawal period?', ['Right of withdrawal period?']],
    ['Highways in Florida?', ['Highways in Florida?']],
    ['请假流程是什么？', ['请假流程是什么？']],
    // A condition belongs to its question, background does not.
    ['If I am sick, can I stay home?', ['If I am sick, can I stay home?']],
    ['We moved in May, so what is the notice period?', ['what is the notice period?']],
    [
      'What is the notice period and when does it start?',
      ['What is the notice period and when does it start?'],
    ],
    [
      'What is the notice period, how many vacation days do I get and who approves travel?',
      ['What is the notice period', 'how many vacation days do I get', 'who approves travel?'],
    ],
    [
      'What does the contract say about how long it lasts?',
      ['What does the contract say about how long it lasts?'],
    ],
    ['Who mapped the St. Johns River in 1562?', ['Who mapped the St. Johns River in 1562?']],
    [
      'Is the office open on Saturdays? And on Sundays?',
      ['Is the office open on Saturdays?', 'Is the office open on Saturdays? on Sundays?'],
    ],
    ['> What is the notice period?\nTwo weeks, but who approves it?', ['Two weeks, but who approves it?']],
    [
      'From: a@example.com\nTo: b@example.com\nSubject: Q\n\nWhat is the notice period?',
      ['What is the notice period?'],
    ],
    ['The coffee machine shows error 42.', ['The coffee machine shows error 42.']],
    ['Hello, who are you?', ['who are you?']],
    ['hi', ['hi']],
    ['', ['']],
  ])('reads %j', (message, questions) => expect(askedQuestions(message)).toEqual(questions));

  it('returns a few questions that are not empty, for any message', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }).filter((text) => text.trim() !== ''),
        (message) => {
          const questions = askedQuestions(message);
          expect(questions.length).toBeGreaterThanOrEqual(1);
          expect(questions.length).toBeLessThanOrEqual(MAX_QUESTIONS);
          for (const question of questions) expect(question.trim()).not.toBe('');
        },
      ),
    );
  });
});
