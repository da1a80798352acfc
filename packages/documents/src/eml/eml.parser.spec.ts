import { describe, expect, it } from '@jest/globals';
import { outline, parse } from '../test-files/parse.js';

const mail = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'), 'latin1');
const read = (file: Uint8Array) => parse(file, 'message/rfc822');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const BODIES: readonly (readonly [what: string, headers: readonly string[], body: string, text: string])[] = [
  ['a body without MIME', [], 'Hello\r\n\r\nBob', 'Hello\n\nBob'],
  [
    'quoted-printable',
    ['Content-Transfer-Encoding: quoted-printable'],
    'caf=C3=A9 =\r\nau lait',
    'café au lait',
  ],
  ['base64', ['Content-Transfer-Encoding: base64'], base64('Grüße'), 'Grüße'],
  ['a character set', ['Content-Type: text/plain; charset=koi8-r'], '\xf0\xf2\xe9\xf7\xe5\xf4', 'ПРИВЕТ'],
  ['flowed text', ['Content-Type: text/plain; format=flowed'], 'one \r\ntwo', 'one two'],
  [
    'flowed quotes and a signature',
    ['Content-Type: text/plain; format=flowed'],
    '> one \r\n> two\r\n>> three \r\n four \r\n-- \r\nBob',
    '> one two\n>> three \nfour\n-- \nBob',
  ],
  [
    'flowed text whose spaces only mark line breaks',
    ['Content-Type: text/plain; format=flowed; delsp=yes'],
    'https://a.exam \r\nple',
    'https://a.example',
  ],
  ['HTML', ['Content-Type: text/html'], '<style>p{}</style><p>one<p>two', 'one\n\ntwo'],
  [
    'HTML rather than blank text',
    ['Content-Type: multipart/alternative; boundary=b'],
    '--b\r\n\r\n \r\n--b\r\nContent-Type: text/html\r\n\r\n<p>rich\r\n--b--',
    'rich',
  ],
];

describe('emlParser', () => {
  for (const [what, headers, body, text] of BODIES) {
    it(`reads ${what}`, async () => {
      const document = await read(mail('From: a@b.example', ...headers, '', body));
      expect(document.text).toBe(`From: a@b.example\n\n${text}`);
    });
  }

  it.each([
    ['with a byte order mark', 'utf-16le', '\ufeff', ''],
    ['without one', 'utf-16le', '', ''],
    ['in the other byte order', 'utf-16be', '\ufeff', ''],
    [
      'with a character set that it had before',
      'utf-16le',
      '\ufeff',
      'Content-Type: text/plain; charset=iso-8859-1\r\n',
    ],
    ['with its character set', 'utf-16le', '\ufeff', 'Content-Type: text/plain; charset=utf-16\r\n'],
  ])('reads a message that was saved as UTF-16 %s', async (_, encoding, mark, header) => {
    const bytes = Buffer.from(
      `${mark}From: a@b.example\r\nSubject: Größe\r\n${header}\r\nTschüß, 日本 🙂`,
      'utf16le',
    );
    const { text, title } = await read(encoding === 'utf-16be' ? bytes.swap16() : bytes);
    expect(title).toBe('Größe');
    expect(text).toContain('Tschüß, 日本 🙂');
  });

  it('reads the header fields', async () => {
    const document = await read(
      mail(
        'Date: Mon, 2 Mar 2026 10:00:00 +0100',
        'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?= from',
        ' Vienna',
        'From: =?iso-8859-1?q?Ren=E9=0ATo=3A_x?= <rene@a.example>',
        'To: Crew: a@b.example, Bob <b@b.example>;, c@b.example',
        'Cc: d@b.example',
        'X-Other: y',
        '',
        'Hello',
      ),
    );
    expect(document.text.split('\n')).toEqual([
      'From: René To: x <rene@a.example>',
      'To: Crew: a@b.example, Bob <b@b.example>;, c@b.example',
      'Cc: d@b.example',
      'Date: Mon, 2 Mar 2026 10:00:00 +0100',
      'Subject: Grüße from Vienna',
      '',
      'Hello',
    ]);
    expect(document.title).toBe('Grüße from Vienna');
    expect(document.metadata['published_at']).toBe('2026-03-02T09:00:00.000Z');
  });

  it('reads forwarded messages and names attachments', async () => {
    const document = await read(
      mail(
        'Subject: Invoice',
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        'Content-Type: multipart/related; boundary=c',
        '',
        '--c',
        'Content-Type: text/html',
        '',
        '<h1>Invoice</h1><p>See <img src="cid:logo">',
        '--c',
        'Content-Type: image/png',
        'Content-ID: <logo>',
        '',
        'x',
        '--c--',
        '--b',
        'Content-Type: application/pdf',
        "Content-Disposition: attachment; filename*=utf-8''Rechnung%20M%C3%A4rz.pdf",
        '',
        'x',
        '--b',
        'Content-Type: application/zip',
        '',
        'x',
        '--b',
        'Content-Type: message/rfc822',
        '',
        'Subject: Original',
        '',
        'It was forwarded.',
        '--b--',
      ),
    );
    expect(document.text).toMatch(/Original[^]*It was forwarded\./);
    expect(outline(document).at(-1)).toEqual([
      'paragraph',
      'Attachment: Rechnung März.pdf\nAttachment: application/zip',
    ]);
    expect(document.blocks.at(-1)?.headingPath).toEqual([]);
  });

  it.each([
    ['blank lines before it', ['', ' ', 'From: a@b.example']],
    ['a line that is no field', ['this is no field', 'From: a@b.example']],
    ['no line after it', ['From: a@b.example', 'Hello Bob']],
  ])('reads a header with %s', async (_what, lines) => {
    const { text } = await read(mail(...lines, ...(lines.includes('Hello Bob') ? [] : ['', 'Hello Bob'])));
    expect(text).toBe('From: a@b.example\n\nHello Bob');
  });

  it.each([
    ['the right length', 0, ''],
    ['a length that is too small', -5, '<?xml version="1.0"?><plist/>'],
  ])('reads a message of Mail of Apple with %s', async (_, error, properties) => {
    const message = 'From: a@b.example\r\n\r\nHello Bob';
    const file = mail(`${message.length + error}  \n${message}<?xml version="1.0"?><plist/>`);
    expect((await read(file)).text).toBe(`From: a@b.example\n\nHello Bob${properties}`);
  });

  it('reports why a file cannot be read', async () => {
    await expect(read(mail('Dear all,', 'this is no message.'))).rejects.toMatchObject({
      code: 'CORRUPT_FILE',
      userMessage: expect.stringMatching(/not an e-mail/),
    });
  });
});
