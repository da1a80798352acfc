import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { abstention, noModelMessage } from './answer-messages.js';
import { quoteAnswer } from './quote-answer.js';

const text =
  'Our shop opened in 1998. It has three floors. Refunds are paid within five days. Gifts can be wrapped. Parking is free for an hour.';

describe('quoteAnswer', () => {
  it('quotes the matching sentences verbatim, with citations', () => {
    const question = 'When are refunds paid?';
    const { answer, quotes } = quoteAnswer(question, [{ text, start: 100 }], { maxCharacters: 40 });
    assert.equal(answer, `${noModelMessage(question)}\n\n“Refunds are paid within five days.” [1]`);
    assert.deepEqual(
      quotes.map(({ start, end }) => text.slice(start - 100, end - 100)),
      ['Refunds are paid within five days.'],
    );
  });

  it('adds one sentence of context to a short match, and none to a long one', () => {
    const { quotes } = quoteAnswer('When are refunds paid?', [{ text, start: 0 }]);
    assert.equal(quotes[0]?.text, 'Refunds are paid within five days. Gifts can be wrapped.');
    const long = 'Refunds are paid within five days after the goods have come back to our warehouse.';
    const [quote] = quoteAnswer('When are refunds paid?', [
      { text: `We sell. ${long} Come in.`, start: 0 },
    ]).quotes;
    assert.equal(quote?.text, long);
  });

  it('adds adjacent sentences that also match', () => {
    const matching =
      'Refunds are paid within five days. Refunds of gifts take a week. Paid parking is refunded.';
    const [quote] = quoteAnswer('When are refunds paid?', [{ text: `${matching} Hello.`, start: 0 }]).quotes;
    assert.equal(quote?.text, matching);
  });

  it('stays within a paragraph', () => {
    const paragraphs = 'We sell cars.\n\nRefunds are paid.\n \nRefunds for gifts.';
    const [quote] = quoteAnswer('When are refunds paid?', [{ text: paragraphs, start: 0 }]).quotes;
    assert.equal(quote?.text, 'Refunds are paid.');
  });

  it('quotes the sentence below a heading, not the heading', () => {
    for (const page of [
      'Parking fees\n\nFive euro an hour.\n\nRefunds',
      '# Parking fees\nFive euro an hour.',
    ]) {
      const [quote] = quoteAnswer('What are the parking fees?', [{ text: page, start: 0 }]).quotes;
      assert.equal(quote?.text, 'Five euro an hour.');
    }
  });

  it('counts a Chinese character as three', () => {
    const endless = '退款会在五天之内到账，'.repeat(60);
    const [quote] = quoteAnswer('退款多久到账？', [{ text: endless, start: 0 }]).quotes;
    assert.ok(quote !== undefined && quote.text.length > 100 && quote.text.length <= 140);
  });

  it('numbers passages in the given order and quotes three by default', () => {
    const { answer, quotes } = quoteAnswer(
      'refunds',
      Array.from({ length: 5 }, () => ({ text, start: 0 })),
    );
    assert.deepEqual(
      quotes.map(({ number }) => number),
      [1, 2, 3],
    );
    assert.ok(answer.includes('[3]') && !answer.includes('[4]'));
  });

  it('does not end a sentence at a wrapped line', () => {
    const { quotes } = quoteAnswer(
      'refunds',
      [{ text: 'All refunds are paid\nwithin five days. Gifts.', start: 0 }],
      { maxCharacters: 42 },
    );
    assert.equal(quotes[0]?.text, 'All refunds are paid\nwithin five days.');
  });

  it('truncates an overlong sentence around its match', () => {
    const endless = `${'word '.repeat(300)}refund policy ${'word '.repeat(300)}`;
    const [quote] = quoteAnswer('What is the refund policy?', [{ text: endless, start: 0 }]).quotes;
    assert.ok(quote !== undefined && quote.text.includes('refund policy') && quote.text.length <= 360);
  });

  it('quotes Chinese', () => {
    const { quotes } = quoteAnswer(
      '退款多久到账？',
      [{ text: '本店有三层。退款会在五天之内到账。停车免费。', start: 0 }],
      { maxCharacters: 36 },
    );
    assert.equal(quotes[0]?.text, '退款会在五天之内到账。');
  });

  it('abstains without passages', () => {
    assert.deepEqual(quoteAnswer('Wie lange dauert das?', []), {
      answer: abstention('Wie lange dauert das?'),
      quotes: [],
    });
    assert.deepEqual(quoteAnswer('?', [{ text: ' \n ', start: 0 }]).quotes, []);
  });

  it('quotes exact, well-formed slices of bounded length', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.string({ maxLength: 30 }),
        fc.integer({ min: 10, max: 120 }),
        (document, question, maxCharacters) => {
          const { quotes } = quoteAnswer(question, [{ text: document, start: 7 }], { maxCharacters });
          for (const quote of quotes) {
            assert.equal(quote.text, document.slice(quote.start - 7, quote.end - 7));
            assert.ok(quote.text.length <= maxCharacters && quote.text === quote.text.trim());
            if (document.isWellFormed()) assert.ok(quote.text.isWellFormed());
          }
        },
      ),
    );
  });

  it('quotes the introduction for a question about the whole document', () => {
    const text =
      'Field Guide\n\nThis guide names the birds of the estuary. It covers forty species. ' +
      'More. '.repeat(200);
    const { quotes } = quoteAnswer('What is it about?', [{ text, start: 7 }]);
    assert.ok(
      quotes[0]?.text.startsWith('Field Guide\n\nThis guide names the birds of the estuary. It covers'),
    );
    assert.ok((quotes[0]?.text.length ?? 0) <= 360);
    assert.equal(quotes[0]?.start, 7);
  });
});
