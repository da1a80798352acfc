import { expect, it } from '@jest/globals';
import { encodingsFor } from './encodings.js';

it('offers the encodings that a warning names first', () => {
  const offered = encodingsFor(
    'The text was read as big5, but it may be gb18030 or Shift_JIS. If it is garbled, …',
  );
  expect(offered.slice(0, 4)).toEqual(['big5', 'gb18030', 'shift_jis', 'utf-8']);
  expect(offered.toSorted()).toEqual(encodingsFor('').toSorted());
});
