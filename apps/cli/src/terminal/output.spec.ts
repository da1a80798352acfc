import { expect, it } from '@jest/globals';
import { inOneLine, printable, toColumns } from './output.js';

it('printable replaces the control characters of escape sequences', () => {
  expect(printable('a\u001B[2Jb\u009B1mc\u0007\u202Ed')).toBe('a\uFFFD[2Jb\uFFFD1mc\uFFFD\uFFFDd');
  expect(printable('Grüße\t世界 🙂\r\nb\rc\n')).toBe('Grüße\t世界 🙂\nb\nc\n');
});

it('inOneLine does not split a character when it truncates', () => {
  expect(inOneLine(' a\n\n b ')).toBe('a b');
  expect(inOneLine('🙂🙂🙂🙂', 3)).toBe('🙂🙂…');
  expect(inOneLine('abcdef', 4)).toBe('abc…');
});

it('toColumns aligns all columns except the last', () => {
  expect(
    toColumns([
      ['a', 'bbb', 'x'],
      ['aaa', 'b', 'yyyy'],
    ]),
  ).toBe('a    bbb  x\naaa  b    yyyy');
});
