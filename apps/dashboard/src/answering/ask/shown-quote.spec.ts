import { describe, expect, it } from '@jest/globals';
import { shownQuote } from './shown-quote.js';

describe('shownQuote', () => {
  it.each([
    ['## Warranty\nThe warranty lasts two years.', 'Warranty\nThe warranty lasts two years.'],
    [
      'The warranty lasts\ntwo years,\nfrom the purchase.',
      'The warranty lasts two years, from the purchase.',
    ],
    ['Tray\n12 euros\nHose', 'Tray\n12 euros\nHose'],
    ['It ends.\nIt begins.', 'It ends.\nIt begins.'],
  ])('shows %j', (text, shown) => expect(shownQuote(text)).toBe(shown));
});
