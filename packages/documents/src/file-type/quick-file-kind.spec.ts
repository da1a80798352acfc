import { expect, it } from '@jest/globals';
import { quickFileKind } from './quick-file-kind.js';

const hex = (digits: string): Buffer => Buffer.concat([Buffer.from(digits, 'hex'), Buffer.alloc(64)]);

it.each([
  ['yaml', Buffer.from('port: 80\n'), null],
  ['py', Buffer.from('print("größe")\n'), null],
  ['', Buffer.from('LICENSE\n'), null],
  ['txt', Buffer.from('Hello', 'utf16le'), null],
  ['rtfx', Buffer.from('MZ is how it begins'), null],
  ['xml', Buffer.from('<?xml version="1.0"?><a/>'), 'XML'],
  ['svg', Buffer.from('\ufeff<svg xmlns="x"/>'), 'IMAGE'],
  ['ps', Buffer.from('%!PS-Adobe'), 'PRINT_FILE'],
  ['png', hex('89504e470d0a1a0a'), 'IMAGE'],
  ['exe', hex('4d5a9000'), 'PROGRAM'],
  ['doc', hex('d0cf11e0a1b11ae1'), 'OLD_WORD'],
  ['dat', hex('d0cf11e0a1b11ae1'), 'OLD_OFFICE'],
  ['pages', hex('504b0304'), 'PAGES'],
  ['bak', hex('504b0304'), 'ZIP'],
  ['gz', hex('1f8b08'), 'ARCHIVE'],
  ['dat', hex('00112233'), 'BINARY'],
])('the kind of a .%s file (%#) is %s', async (extension, head, kind) => {
  expect(await quickFileKind(head, extension)).toBe(kind);
});
