import assert from 'node:assert/strict';
import { it } from 'node:test';
import { inOneLine, printable, toColumns } from './printable.js';

it('printable replaces the control characters of escape sequences', () => {
  assert.equal(printable('a\u001B[2Jb\u009B1mc\u0007\u202Ed'), 'a\uFFFD[2Jb\uFFFD1mc\uFFFD\uFFFDd');
  assert.equal(printable('Grüße\t世界 🙂\r\nb\rc\n'), 'Grüße\t世界 🙂\nb\nc\n');
});

it('inOneLine does not split a character when it truncates', () => {
  assert.equal(inOneLine(' a\n\n b '), 'a b');
  assert.equal(inOneLine('🙂🙂🙂🙂', 3), '🙂🙂…');
  assert.equal(inOneLine('abcdef', 4), 'abc…');
});

it('toColumns aligns all columns except the last', () => {
  assert.equal(
    toColumns([
      ['a', 'bbb', 'x'],
      ['aaa', 'b', 'yyyy'],
    ]),
    'a    bbb  x\naaa  b    yyyy',
  );
});
