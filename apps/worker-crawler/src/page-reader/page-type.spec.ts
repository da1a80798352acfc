import { describe, expect, it } from '@jest/globals';
import { isOtherText, isPage, typeOf } from './page-type.js';

describe('page types', () => {
  it('treats HTML, XHTML and responses without a type as pages', () => {
    for (const declared of ['text/html', 'application/xhtml+xml', null]) {
      expect(isPage(declared)).toBe(true);
      expect(typeOf(declared)).toBe('text/html');
    }
  });

  it('treats other declared types as files', () => {
    for (const declared of ['application/pdf', 'application/xml', 'text/plain', '']) {
      expect(isPage(declared)).toBe(false);
      expect(typeOf(declared)).toBe(declared);
    }
  });

  it('distinguishes documents from other text by the declared type', () => {
    for (const declared of ['text/css', 'application/javascript', 'text/calendar', 'image/svg+xml'])
      expect([declared, isOtherText(declared, 'text/plain')]).toEqual([declared, true]);
    for (const declared of ['text/plain', 'application/octet-stream', null])
      expect(isOtherText(declared, 'text/plain')).toBe(false);
    expect(isOtherText('application/x-pdf', 'application/pdf')).toBe(false);
  });
});
