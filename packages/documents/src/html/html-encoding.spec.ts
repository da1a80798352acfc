import { describe, expect, it } from '@jest/globals';
import { charsetOfPage, declaredCharset } from './html-encoding.js';

describe('charsetOfPage', () => {
  const cases: readonly (readonly [html: string, charset: string | undefined])[] = [
    ['<meta charset="windows-1251">', 'windows-1251'],
    ['<META CHARSET=gb18030 />', 'gb18030'],
    [`<meta http-equiv='Content-Type' content='text/html; charset=euc-kr'>`, 'euc-kr'],
    ['<meta content="text/html; charset=big5" http-equiv=content-type>', 'big5'],
    ['<meta name="description" content="charset=big5">', undefined],
    ['<!-- <meta charset=big5> --><meta charset=koi8-r>', 'koi8-r'],
    ['<meta charset="utf-16le">', 'utf-8'],
    ['<meta charset=x-user-defined>', 'windows-1252'],
    ['<?xml version="1.0" encoding="iso-8859-2"?><html>', 'iso-8859-2'],
    [`${' '.repeat(1020)}<meta charset=big5>`, undefined],
    ['<p>charset=big5', undefined],
  ];
  for (const [html, charset] of cases) {
    it(html.trim().slice(0, 70), () => expect(charsetOfPage(Buffer.from(html))).toBe(charset));
  }

  it('prefers the declaration of the server, unless that is UTF-8', () => {
    const page = Buffer.from('<meta charset="windows-1251">');
    expect(declaredCharset(page, 'shift_jis')).toBe('shift_jis');
    expect(declaredCharset(page, 'UTF-8')).toBe('windows-1251');
    expect(declaredCharset(Buffer.from(''), 'utf8')).toBeUndefined();
  });
});
