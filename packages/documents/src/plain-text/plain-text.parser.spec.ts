import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outline, parse } from '../test-files/parse.js';

describe('plainTextParser', () => {
  it('divides at blank lines and keeps lines', async () => {
    assert.deepEqual(outline(await parse('\ufeffone\r\ntwo\r\n \t\r\n\r\nthree\ffour', 'text/plain')), [
      ['paragraph', 'one\ntwo'],
      ['paragraph', 'three'],
      ['paragraph', 'four'],
    ]);
  });
});
