import { expect, it } from '@jest/globals';
import { cellTerm } from './cell-term.js';

it.each([
  ['Müller  GmbH ', 'muller gmbh'],
  ['STRASSE', 'strasse'],
  ['Straße', 'strasse'],
  ['ＡＢＣ１２３', 'abc123'],
  ['Łódź', 'lodz'],
  ['東京都', '東京都'],
  ['が', 'が'],
  ['N-1078', 'n-1078'],
  ['', ''],
])('writes %j as %j', (text, term) => {
  expect(cellTerm(text)).toBe(term);
});
