import { describe, expect, it } from '@jest/globals';
import iconv from 'iconv-lite';
import { parse } from '../test-files/parse.js';

const HEAD = 'From: a@b.example';
const read = (...lines: (string | Buffer)[]) =>
  parse(
    Buffer.concat(
      lines.flatMap((line) => [typeof line === 'string' ? Buffer.from(line) : line, Buffer.from('\r\n')]),
    ),
    'message/rfc822',
  );
const alternatives = (plain: string, html: string) =>
  read(
    HEAD,
    'Content-Type: multipart/alternative; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    '',
    plain,
    '--b',
    'Content-Type: text/html; charset=utf-8',
    '',
    html,
    '--b--',
  );
const OFFER = '<p>The pump P-200 costs 450 euros and is delivered on 9 May.</p>';

describe('the body of a message', () => {
  it.each([
    ['a notice', 'Please use a mail program that can show HTML.', OFFER, /^The pump P-200/, 'Please use'],
    [
      'a sentence of its own',
      'The pump P-200 costs 450 euros. Bring cash and coins.',
      OFFER,
      /^The pump P-200/,
      'Bring cash',
    ],
    ['an empty plain text', ' ', OFFER, /^The pump/, undefined],
    ['an empty HTML', 'The pump costs 450.', '<img src="cid:x">', /^The pump costs 450\.$/, undefined],
    [
      'other line breaks and quotes',
      '> The pump P-200 costs\n> 450 euros.',
      OFFER,
      /^The pump P-200/,
      undefined,
    ],
    [
      'an address that is a link',
      'Read the manual:\nhttps://a.example/manual?x=1',
      '<p>Read the <a href="https://a.example/manual?x=1">manual</a>.',
      /^Read the manual\.$/,
      undefined,
    ],
    [
      'Chinese',
      '請用瀏覽器 (HTML) 閱讀這封電子郵件',
      '<p>產品編號是 77-1234',
      /^產品編號是 77-1234$/,
      '請用瀏覽器',
    ],
  ])(
    'is HTML, and a warning names what only the plain text has: %s',
    async (_what, plain, html, text, missing) => {
      const document = await alternatives(plain, html);
      expect(document.text.slice(`${HEAD}\n\n`.length)).toMatch(text);
      expect(document.warnings.map(({ message }) => message)).toEqual(
        missing === undefined ? [] : [expect.stringContaining(`“${missing}`)],
      );
    },
  );

  it.each([
    ['a picture', '<img src="cid:x" alt="Newsletter">'],
    ['a link', '<a href="https://a.example/1">View in browser</a>'],
    ['a point', '<p>.</p>'],
    ['hidden', '<div style="display:none">Preheader: shipped</div>'],
    ['empty', ''],
  ])('is plain text if HTML is only %s', async (_what, html) => {
    const order = 'Your order 4711 of three pumps was shipped on 9 May.';
    expect((await alternatives(order, html)).text).toBe(`${HEAD}\n\n${order}`);
  });

  it('is plain text if HTML is only a picture beside an attachment', async () => {
    const { text } = await read(
      HEAD,
      'Content-Type: multipart/alternative; boundary=b',
      '',
      '--b\r\n\r\nThe pump costs 450.',
      '--b\r\nContent-Type: multipart/mixed; boundary=c',
      '',
      '--c\r\nContent-Type: text/html\r\n\r\n<img src="cid:x">',
      '--c\r\nContent-Type: text/csv; name=t.csv\r\n\r\nArticle;Price\r\nP-200;450',
      '--c--',
      '--b--',
    );
    expect(text).toBe(`${HEAD}\n\nThe pump costs 450.\n\nt.csv\n\nArticle | Price\nP-200 | 450`);
  });

  it('is read although all alternatives are empty or encrypted', async () => {
    const plain = '-----BEGIN PGP MESSAGE-----\r\n\r\nhQEM\r\n-----END PGP MESSAGE-----';
    expect((await alternatives(plain, '<img src="cid:x">')).warnings).toEqual([
      { code: 'PARTLY_READ', message: expect.stringContaining('encrypted') },
    ]);
  });

  it.each([
    ['text/plain; x=1', 'text/plain; x=2', 'This is the second version'],
    ['text/plain', 'text/markdown', 'This is the first version'],
    ['text/enriched', 'text/markdown', 'This is the second version'],
    ['text/html', 'text/plain', 'This is the first version'],
    ['text/x-amp-html', 'text/html', 'This is the second version'],
  ])('is one of %s and %s', async (first, second, text) => {
    const document = await read(
      HEAD,
      'Content-Type: multipart/alternative; boundary=b',
      '',
      `--b\r\nContent-Type: ${first}\r\n\r\nThis is the first version`,
      `--b\r\nContent-Type: ${second}\r\n\r\nThis is the second version`,
      '--b--',
    );
    expect(document.text).toBe(`${HEAD}\n\n${text}`);
    expect(document.warnings).toHaveLength(1);
  });

  it('keeps attachments of the alternative that is not read', async () => {
    const { text } = await read(
      HEAD,
      'Content-Type: multipart/alternative; boundary=b',
      '',
      '--b',
      '',
      'The pump costs 450.',
      '--b',
      'Content-Type: multipart/mixed; boundary=c',
      '',
      '--c',
      'Content-Type: text/html',
      '',
      '<p>The pump costs 450.',
      '--c',
      'Content-Type: application/pdf; name=offer.pdf',
      '',
      'x',
      '--c--',
      '--b--',
    );
    expect(text).toBe(`${HEAD}\n\nThe pump costs 450.\n\nAttachment: offer.pdf`);
  });
});

const CYRILLIC = 'Добрый день! Посылаем вам счёт за март, оплатите его до пятницы.';
const CHINESE = '客户您好，附件是三月份的报价单，请在周五之前确认。';

describe('character sets of a message', () => {
  it.each([
    ['Latin-1 that is UTF-8', 'iso-8859-1', Buffer.from('Größe: 5 €'), 'Größe: 5 €'],
    ['ASCII that is UTF-8', 'us-ascii', Buffer.from('naïve'), 'naïve'],
    ['Latin-1 that is Cyrillic', 'iso-8859-1', iconv.encode(CYRILLIC, 'windows-1251'), CYRILLIC],
    ['UTF-8 that is Chinese', 'utf-8', iconv.encode(CHINESE, 'gbk'), CHINESE],
    ['an unknown one', 'x-unknown', iconv.encode(CYRILLIC, 'koi8-r'), CYRILLIC],
    ['UTF-7', 'utf-7', Buffer.from('Gr+APYA3w-e'), 'Größe'],
    ['ISO-2022-JP', 'iso-2022-jp', Buffer.from('\u001b$B$3$s$K$A$O\u001b(B'), 'こんにちは'],
  ])('are read if it says %s', async (_what, charset, bytes, text) => {
    expect((await read(HEAD, `Content-Type: text/plain; charset=${charset}`, '', bytes)).text).toBe(
      `${HEAD}\n\n${text}`,
    );
  });

  it.each([
    [
      'quoted-printable with soft line breaks',
      'quoted-printable',
      'Gr=C3=B6=\r\n=C3=9Fe =\t\r\nis=20=\r\n5=ZZ',
      'Größe is 5=ZZ',
    ],
    [
      'base64 with padding in each line',
      'base64',
      `${Buffer.from('Grö').toString('base64')}\r\n${Buffer.from('ße 5').toString('base64')}`,
      'Größe 5',
    ],
    ['base64 that is cut off', 'base64', Buffer.from('Größe 5').toString('base64').slice(0, -1), 'Größe'],
    [
      'base64 with lines of a list below',
      'base64',
      `${Buffer.from('Größe 5').toString('base64')}\r\n____\r\nlist@b.example`,
      'Größe 5\n____\nlist@b.example',
    ],
    ['uuencode', 'x-uuencode', 'begin 644 a.txt\r\n)1W+#ML.?92 U\r\n \r\nend', 'Größe 5'],
    [
      'text that only claims to be base64',
      'base64',
      'Hello Bob, this is no base64 at all, sorry.',
      'Hello Bob, this is no base64 at all, sorry.',
    ],
    ['an unknown transfer encoding', 'x-other', 'Hello', 'Hello'],
  ])('follow %s', async (_what, encoding, body, text) => {
    const document = await read(
      HEAD,
      'Content-Type: text/plain; charset=utf-8',
      `Content-Transfer-Encoding: ${encoding}`,
      '',
      body,
    );
    expect(document.text).toMatch(new RegExp(`\n\n${text}`.replace(/[=.]/g, '\\$&')));
  });

  it('are detected in header fields', async () => {
    const document = await read(
      Buffer.concat([Buffer.from('Subject: '), iconv.encode('Счёт за март и отчёт', 'windows-1251')]),
      'From: =?utf-8?q?Ada_?= =?utf-8?q?L=C3=B6we?= <a@b.example>',
      'Content-Type: application/pdf; name*0*=iso-8859-1\'\'M%E4rz; name*1=" 2026.pdf"',
      '',
      'x',
    );
    expect(document.text).toBe(
      'From: Ada Löwe <a@b.example>\nSubject: Счёт за март и отчёт\n\nAttachment: März 2026.pdf',
    );
    expect(document.title).toBe('Счёт за март и отчёт');
  });
});

describe('parts of a message', () => {
  const mixed = (...lines: string[]) =>
    read(
      HEAD,
      'Subject: Outer',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      '',
      'See below.',
      ...lines,
      '--b--',
    );

  it('are attached messages under their subjects', async () => {
    const document = await mixed(
      '--b',
      'Content-Type: message/rfc822',
      'Content-Disposition: attachment; filename=a.eml',
      '',
      'Subject: =?utf-8?q?Pr=C3=BCfung?=',
      'From: c@d.example',
      'Date: Mon, 2 Mar 2026 10:00:00 +0100',
      'Content-Type: multipart/mixed; boundary=c',
      '',
      '--c',
      '',
      'The pump is broken.',
      '--c',
      'Content-Type: application/pdf; name=x.pdf',
      '',
      'x',
      '--c--',
      '--b',
      'Content-Type: application/octet-stream; name=second.eml',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('Subject: Second\r\n\r\nIt works again.').toString('base64'),
    );
    expect(document.text.split('\n\n')).toEqual([
      `${HEAD}\nSubject: Outer`,
      'See below.',
      'Prüfung',
      'From: c@d.example\nDate: Mon, 2 Mar 2026 10:00:00 +0100\nSubject: Prüfung',
      'The pump is broken.',
      'Attachment: x.pdf',
      'Second',
      'Subject: Second',
      'It works again.',
    ]);
    expect(document.title).toBe('Outer');
  });

  it('are messages in each other, of which those below 50 levels are named', async () => {
    const nested = (depth: number): string =>
      `Subject: Message ${depth}\r\n` +
      (depth === 60
        ? '\r\nThe last one.'
        : `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n\r\nText ${depth}.\r\n` +
          `--b${depth}\r\nContent-Type: message/rfc822\r\n\r\n${nested(depth + 1)}\r\n--b${depth}--`);
    const { text, warnings } = await read(nested(0), '');
    expect(text).toMatch(/Text 0\.[^]*Text 24\.\n\nAttachment: message\/rfc822$/);
    expect(warnings).toEqual([{ code: 'PARTLY_READ', message: expect.stringContaining('50 levels') }]);
  });

  it('are attached texts, by their formats', async () => {
    const document = await mixed(
      '--b',
      'Content-Type: text/csv; name=prices.csv',
      'Content-Disposition: attachment',
      '',
      'Article;Price',
      'P-200;450',
      '--b',
      'Content-Type: application/octet-stream; name=notes.md',
      '',
      '- a *note*',
      '--b',
      'Content-Type: text/x-log; name=run.log',
      '',
      'started',
      '--b',
      'Content-Type: application/json; name=broken.json',
      '',
      '{"a": ',
    );
    expect(document.text).toMatch(
      /prices\.csv\n\nArticle \| Price\nP-200 \| 450\n\nnotes\.md\n\n- a note\n\nrun\.log\n\nstarted/,
    );
    expect(document.text).toMatch(/Attachment: broken\.json$/);
    expect(document.warnings).toEqual([
      { code: 'PARTLY_READ', message: expect.stringContaining('broken.json') },
    ]);
    expect(document.title).toBe('Outer');
  });

  it('are reports about delivery', async () => {
    const { text } = await read(
      HEAD,
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
      '',
      '--b',
      '',
      'Not delivered.',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Final-Recipient: rfc822; x@y.example',
      'Status: 5.1.1',
      '--b',
      'Content-Type: text/rfc822-headers',
      '',
      'Subject: Lost',
      '--b--',
    );
    expect(text).toMatch(
      /Not delivered\.\n\nFinal-Recipient: rfc822; x@y\.example\nStatus: 5\.1\.1\n\nLost\n\nSubject: Lost/,
    );
  });

  it('are signed, encrypted or only for Outlook', async () => {
    const signed = await read(
      HEAD,
      'Content-Type: multipart/signed; boundary=b; protocol="application/pkcs7-signature"',
      '',
      '--b',
      '',
      'It is signed.',
      '--b',
      'Content-Type: application/pkcs7-signature; name=smime.p7s',
      '',
      'x',
      '--b--',
    );
    expect(signed.text).toMatch(/It is signed\.$/);
    const encrypted = await read(HEAD, 'Content-Type: application/pkcs7-mime; name=smime.p7m', '', 'x');
    expect(encrypted.text).toMatch(/Attachment: smime\.p7m$/);
    expect(encrypted.warnings).toEqual([
      { code: 'PARTLY_READ', message: expect.stringContaining('encrypted') },
    ]);
    const outlook = await mixed('--b', 'Content-Type: application/ms-tnef; name=winmail.dat', '', 'x');
    expect(outlook.text).toMatch(/Attachment: winmail\.dat$/);
    expect(outlook.warnings).toEqual([
      { code: 'PARTLY_READ', message: expect.stringContaining('winmail.dat') },
    ]);
  });

  it.each([
    ['without one', '', '', 'Hello'],
    ['that is missing in the field', '', '--b\r\nContent-Type: text/html\r\n\r\n<p>Hello\r\n--b--', 'Hello'],
    ['that is missing at the end', '; boundary=b', '--b\r\n\r\nHello\r\n--bc\r\nx', 'Hello\n--bc\nx'],
    ['with spaces', '; boundary="b c "', '--b c \r\n\r\nHello\r\n--b c--\t', 'Hello'],
    [
      'with brackets and comments',
      '; (x) boundary="b(1)c" (y)',
      '--b(1)c\r\n\r\nHello\r\n--b(1)c--',
      'Hello',
    ],
    ['in other quotes', "; boundary='b'", '--b\r\nContent-ID: 1\r\n\r\nHello\r\n--b--', 'Hello'],
    [
      'in base64',
      '; boundary=b\r\nContent-Transfer-Encoding: base64',
      Buffer.from('--b\r\n\r\nHello\r\n--b--').toString('base64'),
      'Hello',
    ],
    [
      'that ends too early',
      '; boundary=b',
      '--b\r\n\r\nHello\r\n--b--\r\n--b\r\n\r\nBob\r\n--b--',
      'Hello\n\nBob',
    ],
  ])('are read with a boundary %s', async (_what, parameter, body, text) => {
    const source = body === '' ? text : body;
    expect((await read(HEAD, `Content-Type: multipart/mixed${parameter}`, '', source)).text).toBe(
      `${HEAD}\n\n${text}`,
    );
  });

  it('have names in any encoding', async () => {
    const names = [
      "filename*=iso-2022-jp'ja'a%8a.mp3",
      "filename*=nope''%E4.pdf",
      'filename="=?nope?b?!?=.pdf"',
      'filename="Plan (alt).pdf"',
      "filename*0*=utf-8''%C3; filename*1*=%A4.pdf",
    ];
    const { text } = await mixed(
      ...names.flatMap((name) => [
        '--b',
        'Content-Type: application/pdf',
        `Content-Disposition: attachment; ${name}`,
        '',
        'x',
      ]),
    );
    expect(text).toMatch(
      /See below\.\n\nAttachment: a.*\.mp3\nAttachment: .\.pdf\n.*\.pdf\nAttachment: Plan \(alt\)\.pdf\nAttachment: ä\.pdf$/,
    );
  });

  it('are files between the lines of a text', async () => {
    const { text } = await read(
      HEAD,
      '',
      'We begin 644 files.',
      'begin 644 a b.csv',
      '3;F%M93MP<FEC90IP=6UP.S0U,',
      '`',
      'end',
      'Regards',
    );
    expect(text).toMatch(/\n\nWe begin 644 files\.\nRegards\n\na b\.csv\n\nname \| price\npump \| 450$/);
  });

  it('are read when another one is broken', async () => {
    const { text, warnings } = await mixed(
      '--b',
      'Content-Type: application/pkcs7-mime; name=broken.p7z',
      '',
      Buffer.from('060b2a864886f70d010910010906092a864886f70d0107010401ff', 'hex').toString('latin1'),
      '--b',
      'The last part has no header.',
    );
    expect(text).toMatch(/See below\.\n\nThe last part has no header\./);
    expect(text).toMatch(/Attachment: broken\.p7z$/);
    expect(warnings).toHaveLength(1);
  });
});

describe('a mailbox', () => {
  it('has several messages', async () => {
    const from = 'From ada@b.example Mon Mar  2 10:00:00 2026';
    const { text, title } = await read(
      from,
      'Subject: One',
      '',
      'First',
      'From here on, all is well in 2026.',
      '',
      from,
      'Subject: Two',
      '',
      'Second',
    );
    expect(text.split('\n\n')).toEqual([
      'One',
      'Subject: One',
      'First\nFrom here on, all is well in 2026.',
      'Two',
      'Subject: Two',
      'Second',
    ]);
    expect(title).toBe('One');
    expect((await read(from, 'Subject: One', '', 'First')).text).toBe('Subject: One\n\nFirst');
    const undated = await read(
      'From - ',
      'Subject: One',
      '',
      'First',
      '',
      'From - ',
      'Subject: Two',
      '',
      'Second',
    );
    expect(undated.text).toMatch(/First\n\nTwo\n\nSubject: Two\n\nSecond$/);
  });
});
