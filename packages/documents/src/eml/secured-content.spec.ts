import { describe, expect, it } from '@jest/globals';
import { parse } from '../test-files/parse.js';

const HEAD = 'From: a@b.example';
const read = (...lines: string[]) => parse(Buffer.from(lines.join('\r\n')), 'message/rfc822');

/** A value of ASN.1 of less than 128 bytes. */
const der = (tag: number, ...content: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from([tag, Buffer.concat(content).length]), ...content]);
const oid = (hex: string): Buffer => der(6, Buffer.from(`2a864886f70d01${hex}`, 'hex'));
const open = (tag: number, ...content: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from([tag, 0x80]), ...content, Buffer.alloc(2)]);

describe('secured messages', () => {
  const inner = Buffer.from('Content-Type: text/plain\r\n\r\nThe code is 4711.');
  const half = inner.length >> 1;
  const signed = (content: Buffer): Buffer =>
    der(0x30, oid('0702'), der(0xa0, der(0x30, der(2), oid('0701'), der(0xa0, der(4, content)))));
  const pieces = [der(4, inner.subarray(0, half)), der(4, inner.subarray(half))];
  it.each([
    ['signed', signed(inner), true],
    ['signed without a header', signed(Buffer.from('The code is 4711.')), true],
    [
      'signed in pieces',
      open(0x30, oid('0702'), open(0xa0, open(0x30, oid('0701'), open(0xa0, open(0x24, ...pieces))))),
      true,
    ],
    ['encrypted', der(0x30, oid('0703'), der(0xa0, oid('0701'), der(0x80, inner))), false],
  ])('are read if they are %s', async (_what, file, isRead) => {
    const { text, warnings } = await read(
      HEAD,
      'Content-Type: application/pkcs7-mime; name=smime.p7m',
      'Content-Transfer-Encoding: base64',
      '',
      file.toString('base64'),
    );
    expect(text).toBe(`${HEAD}\n\n${isRead ? 'The code is 4711.' : 'Attachment: smime.p7m'}`);
    expect(warnings).toHaveLength(isRead ? 0 : 1);
  });

  it('are named if they are signed files', async () => {
    const { text } = await read(
      HEAD,
      'Content-Type: application/pkcs7-mime; name=invoice.pdf.p7m',
      'Content-Transfer-Encoding: base64',
      '',
      signed(Buffer.from('%PDF-1.7')).toString('base64'),
    );
    expect(text).toBe(`${HEAD}\n\nAttachment: invoice.pdf.p7m`);
  });

  it('are read in the text of OpenPGP', async () => {
    const signed = await read(
      HEAD,
      '',
      '-----BEGIN PGP SIGNED MESSAGE-----',
      'Hash: SHA256',
      '',
      'The code is 4711.',
      '- - one',
      '-----BEGIN PGP SIGNATURE-----',
      'iQEzBAEBCAAdFiEE',
      '-----END PGP SIGNATURE-----',
    );
    expect(signed.text).toBe(`${HEAD}\n\nThe code is 4711.\n- one`);
    expect(signed.leftOut.hidden).toBeGreaterThan(50);
    expect(signed.warnings).toEqual([]);
    const encrypted = await read(
      HEAD,
      '',
      'Hi',
      '-----BEGIN PGP MESSAGE-----',
      '',
      'hQEM',
      '-----END PGP MESSAGE-----',
    );
    expect(encrypted.text).toBe(`${HEAD}\n\nHi`);
    expect(encrypted.warnings).toHaveLength(1);
    // The end is missing.
    const open = await read(HEAD, '', '-----BEGIN PGP SIGNATURE-----', '', 'iQEz', 'The code is 4711.');
    expect(open.text).toBe(`${HEAD}\n\nThe code is 4711.`);
  });
});
