import { expect, it } from '@jest/globals';
import { titleLine } from './title-line.js';

it.each([
  [null, null],
  ['', null],
  [' \u0000\n ', null],
  [' Opening\n hours\u0000 ', 'Opening hours'],
  ['料金表 🦊', '料金表 🦊'],
  ['x'.repeat(300), 'x'.repeat(255)],
  [`${'x'.repeat(254)}🦊`, `${'x'.repeat(254)}\ufffd`],
])('of %j is %j', (title, line) => {
  expect(titleLine(title)).toBe(line);
});
