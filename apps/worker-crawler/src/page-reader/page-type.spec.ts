import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isOtherText, isPage, typeOf } from './page-type.js';

describe('what a server sends', () => {
  it('is a page when it is HTML, XHTML, or nothing that it says', () => {
    for (const declared of ['text/html', 'application/xhtml+xml', null]) {
      assert.equal(isPage(declared), true);
      assert.equal(typeOf(declared), 'text/html');
    }
  });

  it('is no text where it says so, though it is written in characters', () => {
    for (const declared of ['text/css', 'application/javascript', 'text/calendar', 'image/svg+xml'])
      assert.equal(isOtherText(declared, 'text/plain'), true, declared);
    for (const declared of ['text/plain', 'application/octet-stream', null])
      assert.equal(isOtherText(declared, 'text/plain'), false);
    assert.equal(isOtherText('application/x-pdf', 'application/pdf'), false);
  });

  it('is what it says, and then no page', () => {
    for (const declared of ['application/pdf', 'application/xml', 'text/plain', '']) {
      assert.equal(isPage(declared), false);
      assert.equal(typeOf(declared), declared);
    }
  });
});
