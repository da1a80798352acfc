import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isOtherText, isPage, typeOf } from './page-type.js';

describe('page types', () => {
  it('treats HTML, XHTML and responses without a type as pages', () => {
    for (const declared of ['text/html', 'application/xhtml+xml', null]) {
      assert.equal(isPage(declared), true);
      assert.equal(typeOf(declared), 'text/html');
    }
  });

  it('treats other declared types as files', () => {
    for (const declared of ['application/pdf', 'application/xml', 'text/plain', '']) {
      assert.equal(isPage(declared), false);
      assert.equal(typeOf(declared), declared);
    }
  });

  it('distinguishes documents from other text by the declared type', () => {
    for (const declared of ['text/css', 'application/javascript', 'text/calendar', 'image/svg+xml'])
      assert.equal(isOtherText(declared, 'text/plain'), true, declared);
    for (const declared of ['text/plain', 'application/octet-stream', null])
      assert.equal(isOtherText(declared, 'text/plain'), false);
    assert.equal(isOtherText('application/x-pdf', 'application/pdf'), false);
  });
});
