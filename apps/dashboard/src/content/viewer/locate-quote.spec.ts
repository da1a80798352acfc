import { describe, expect, it } from '@jest/globals';
import { locateQuote } from './locate-quote.js';

/** The text that the parts cover, one string an item. */
function found(items: readonly string[], quote: string): string[] {
  return locateQuote(items, quote).map(({ item, from, to }) => items[item]?.slice(from, to) ?? '');
}

describe('locateQuote', () => {
  it.each<[name: string, items: string[], quote: string, parts: string[]]>([
    ['a part of an item', ['The harbour was built in 1070.'], 'harbour was built', ['harbour was built']],
    [
      'a quote over several lines',
      ['He said that the har-', 'bour was old. Then', 'he left.'],
      'the harbour was old.',
      ['the har', 'bour was old.'],
    ],
    ['other spaces and quotation marks', ['“A   word”, he said'], '"A word", he', ['A   word”, he']],
    ['ligatures', ['the ﬁrst ofﬁce'], 'first office', ['ﬁrst ofﬁce']],
    ['letters beyond the BMP', ['x 𝐀𝐁 harbour of Bergen'], 'AB harbour', ['𝐀𝐁 harbour']],
    [
      'the beginning of a quote that goes on on the next page',
      ['Page 4', 'The harbour of Bergen was'],
      'The harbour of Bergen was built in 1070.',
      ['The harbour of Bergen was'],
    ],
    [
      'the end of a quote that began on the page before',
      ['built in the year 1070.', 'Next'],
      'The harbour was built in the year 1070.',
      ['built in the year 1070.'],
    ],
    ['nothing for another text', ['The harbour of Bergen'], 'An unrelated sentence about cats', []],
    ['nothing for an empty quote', ['The harbour'], ' ', []],
  ])('finds %s', (_name, items, quote, parts) => {
    expect(found(items, quote)).toEqual(parts);
  });
});
