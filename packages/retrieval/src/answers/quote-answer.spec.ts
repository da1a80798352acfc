import assert from 'node:assert/strict';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { abstention, noModelMessage } from './answer-messages.js';
import { AnalyzedQuestion } from '../question/analyzed-question.js';
import { ofSameSubject, quoteAnswer, quoteAnswers } from './quote-answer.js';

const text =
  'Our shop opened in 1998. It has three floors. Refunds are paid within five days. Gifts can be wrapped. Parking is free for an hour.';

describe('quoteAnswers', () => {
  it('says everything in one language, also if a question alone has none', () => {
    const questions = ['Wann kommt die Erstattung?', 'Fiat 500?'].map((asked) => ({
      question: new AnalyzedQuestion(asked),
      numbers: [],
    }));
    const { answer } = quoteAnswers(questions, []);
    expect(answer.split('\n\n')).toEqual([
      noModelMessage('de'),
      'Wann kommt die Erstattung?',
      abstention('', 'de'),
      'Fiat 500?',
      abstention('', 'de'),
    ]);
  });
});

describe('quoteAnswer', () => {
  it('quotes the matching sentences verbatim, with citations', () => {
    const question = 'When are refunds paid?';
    const { answer, quotes } = quoteAnswer(new AnalyzedQuestion(question), [{ text, start: 100 }], {
      maxCharacters: 40,
    });
    expect(answer).toBe(`${noModelMessage('en')}\n\n“Refunds are paid within five days.” [1]`);
    expect(quotes.map(({ start, end }) => text.slice(start - 100, end - 100))).toEqual([
      'Refunds are paid within five days.',
    ]);
  });

  it('adds one sentence of context to a short match, and none to a long one', () => {
    const { quotes } = quoteAnswer(new AnalyzedQuestion('When are refunds paid?'), [{ text, start: 0 }]);
    expect(quotes[0]?.text).toBe('Refunds are paid within five days. Gifts can be wrapped.');
    const long = 'Refunds are paid within five days after the goods have come back to our warehouse.';
    const [quote] = quoteAnswer(new AnalyzedQuestion('When are refunds paid?'), [
      { text: `We sell. ${long} Come in.`, start: 0 },
    ]).quotes;
    expect(quote?.text).toBe(long);
  });

  it('adds adjacent sentences that also match', () => {
    const matching =
      'Refunds are paid within five days. Refunds of gifts take a week. Paid parking is refunded.';
    const [quote] = quoteAnswer(new AnalyzedQuestion('When are refunds paid?'), [
      { text: `${matching} Hello.`, start: 0 },
    ]).quotes;
    expect(quote?.text).toBe(matching);
  });

  it('stays within a paragraph', () => {
    const paragraphs = 'We sell cars.\n\nRefunds are paid.\n \nRefunds for gifts.';
    const [quote] = quoteAnswer(new AnalyzedQuestion('When are refunds paid?'), [
      { text: paragraphs, start: 0 },
    ]).quotes;
    expect(quote?.text).toBe('Refunds are paid.');
  });

  it('quotes the sentence below a heading, with the heading if it has words that the sentence has not', () => {
    const quoted = (text: string): string | undefined =>
      quoteAnswer(new AnalyzedQuestion('What are the parking fees?'), [{ text, start: 0 }]).quotes[0]?.text;
    expect(quoted('Parking fees\n\nFive euro an hour.\n\nRefunds')).toBe(
      'Parking fees\n\nFive euro an hour.',
    );
    expect(quoted('Parking\n\nParking fees are five euro an hour, and 30 euro a day.')).toBe(
      'Parking fees are five euro an hour, and 30 euro a day.',
    );
  });

  it('counts a Chinese character as three', () => {
    const endless = '退款会在五天之内到账，'.repeat(60);
    const [quote] = quoteAnswer(new AnalyzedQuestion('退款多久到账？'), [{ text: endless, start: 0 }]).quotes;
    assert.ok(quote);
    expect(quote.text.length).toBeGreaterThan(100);
    expect(quote.text.length).toBeLessThanOrEqual(140);
  });

  it('numbers passages in the given order and quotes three by default', () => {
    const { answer, quotes } = quoteAnswer(
      new AnalyzedQuestion('refunds'),
      [
        'Refunds take five days.',
        'No refunds for gifts.',
        'Ask for refunds here.',
        'Refunds.',
        'Refunds!',
      ].map((sentence) => ({ text: sentence, start: 0 })),
    );
    expect(quotes.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(answer).toContain('[3]');
    expect(answer).not.toContain('[4]');
  });

  it('quotes once what several passages say alike, and twice what differs in a number', () => {
    const question = new AnalyzedQuestion('When are refunds paid?');
    const numbersOf = (...texts: string[]): number[] =>
      quoteAnswer(
        question,
        texts.map((one) => ({ text: one, start: 0 })),
      ).quotes.map(({ number }) => number);
    expect(numbersOf('Refunds are paid within 5 days.', 'All refunds are paid within 5 days.')).toEqual([1]);
    expect(numbersOf('Refunds are paid within 5 days.', 'Refunds are paid within 9 days.')).toEqual([1, 2]);
  });

  it('quotes a definition first, also of a passage that is not among the best three', () => {
    const mentions = [
      'A run needs a lease.',
      'The lease of a run ends.',
      'Each lease has a number.',
      'Leases expire.',
    ];
    const { quotes } = quoteAnswer(
      new AnalyzedQuestion('What is a lease?'),
      [...mentions, 'Lease: the right to work on a run.'].map((one) => ({ text: one, start: 0 })),
    );
    expect(quotes.map(({ number }) => number)).toEqual([5, 1, 2]);
  });

  it('quotes the passage that matches best first, and none that matches less than half as well', () => {
    const { quotes } = quoteAnswer(new AnalyzedQuestion('How do I replace the filter of the kettle?'), [
      { text: 'The kettle is made of steel.', start: 0 },
      { text: 'To replace the filter of the kettle, lift the lid.', start: 0 },
    ]);
    expect(quotes.map(({ number }) => number)).toEqual([2]);
  });

  it('does not end a sentence at a wrapped line', () => {
    const { quotes } = quoteAnswer(
      new AnalyzedQuestion('refunds'),
      [{ text: 'All refunds are paid\nwithin five days. Gifts.', start: 0 }],
      { maxCharacters: 42 },
    );
    expect(quotes[0]?.text).toBe('All refunds are paid\nwithin five days.');
  });

  it('truncates an overlong sentence around its match', () => {
    const endless = `${'word '.repeat(300)}refund policy ${'word '.repeat(300)}`;
    const [quote] = quoteAnswer(new AnalyzedQuestion('What is the refund policy?'), [
      { text: endless, start: 0 },
    ]).quotes;
    assert.ok(quote);
    expect(quote.text).toContain('refund policy');
    expect(quote.text.length).toBeLessThanOrEqual(360);
  });

  it('quotes Chinese', () => {
    const { quotes } = quoteAnswer(
      new AnalyzedQuestion('退款多久到账？'),
      [{ text: '本店有三层。退款会在五天之内到账。停车免费。', start: 0 }],
      { maxCharacters: 36 },
    );
    expect(quotes[0]?.text).toBe('退款会在五天之内到账。');
  });

  it('abstains without passages', () => {
    expect(quoteAnswer(new AnalyzedQuestion('Wie lange dauert das?'), [])).toEqual({
      answer: abstention('Wie lange dauert das?'),
      quotes: [],
      cited: new Set(),
    });
    expect(quoteAnswer(new AnalyzedQuestion('?'), [{ text: ' \n ', start: 0 }]).quotes).toEqual([]);
  });

  it('quotes exact, well-formed slices of bounded length', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.string({ maxLength: 30 }),
        fc.integer({ min: 10, max: 120 }),
        (document, question, maxCharacters) => {
          const { quotes } = quoteAnswer(new AnalyzedQuestion(question), [{ text: document, start: 7 }], {
            maxCharacters,
          });
          for (const quote of quotes) {
            expect(quote.text).toBe(document.slice(quote.start - 7, quote.end - 7));
            // A list, or what stands above a quote, may have a third more.
            expect(quote.text.length).toBeLessThanOrEqual((maxCharacters * 4) / 3);
            expect(quote.text).toBe(quote.text.trim());
            if (document.isWellFormed()) expect(quote.text.isWellFormed()).toBe(true);
          }
        },
      ),
    );
  });

  it('quotes the introduction for a question about the whole document', () => {
    const text =
      'Field Guide\n\nThis guide names the birds of the estuary. It covers forty species. ' +
      'More. '.repeat(200);
    const { quotes } = quoteAnswer(new AnalyzedQuestion('What is it about?'), [{ text, start: 7 }]);
    expect(
      quotes[0]?.text.startsWith('Field Guide\n\nThis guide names the birds of the estuary. It covers'),
    ).toBe(true);
    expect(quotes[0]?.text.length ?? 0).toBeLessThanOrEqual(360);
    expect(quotes[0]?.start).toBe(7);
  });
});

it.each<[name: string, shares: Record<string, number[]>, same: string[]]>([
  ['the newest question that tells them apart decides', { a: [0.5, 1], b: [1, 0] }, ['b']],
  ['a question that tells nothing leaves it to the one before', { a: [1, 1], b: [1, 0] }, ['a']],
  ['all are left if none tells', { a: [1, 0], b: [1, 0] }, ['a', 'b']],
  ['without earlier questions, all are left', { a: [], b: [] }, ['a', 'b']],
])('%s', (_, shares, same) => {
  expect(ofSameSubject(Object.keys(shares), (key) => shares[key] ?? [])).toEqual(same);
});
