import { describe, expect, it } from '@jest/globals';
import { pictureSize } from './picture-size.js';

const hex = (digits: string): Uint8Array =>
  Buffer.concat([Buffer.from(digits.replaceAll(' ', ''), 'hex'), Buffer.alloc(40)]);
const riff = (content: string): Uint8Array => hex(`52494646 00000000 57454250 ${content}`);

const FILES: readonly (readonly [what: string, file: Uint8Array, size: string])[] = [
  ['PNG', hex('89504e470d0a1a0a 0000000d 49484452 00000140 000000f0'), '320x240'],
  ['GIF', hex('474946383961 4001 f000'), '320x240'],
  ['JPEG', hex('ffd8 ffe0 0004 0000 ffff ffc2 0011 08 00f0 0140'), '320x240'],
  ['JPEG with tables before its frame', hex('ffd8 ffc4 0004 0000 ffc0 0011 08 00f0 0140'), '320x240'],
  ['WebP, extended', riff('56503858 0a000000 00000000 3f0100 ef0000'), '320x240'],
  ['WebP, lossy', riff('56503820 00000000 000000 9d012a 4001 f000'), '320x240'],
  ['WebP, lossless', riff('5650384c 00000000 2f 3fc13b00'), '320x240'],
  ['BMP, upside down', hex('424d 000000000000000000000000 28000000 40010000 10ffffff'), '320x240'],
  ['TIFF', hex('49492a00 08000000'), 'InfinityxInfinity'],
  ['EMF', hex('01000000 6c000000'), 'none'],
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'none'],
  ['JPEG without a frame', hex('ffd8 ffe0 0004'), 'none'],
  ['a JPEG that ends', Buffer.from('ffd8ffe0', 'hex'), 'none'],
];

describe('pictureSize', () => {
  it.each(FILES)('%s', (_, file, size) => {
    const found = pictureSize(file);
    expect(found === null ? 'none' : `${found.width}x${found.height}`).toBe(size);
  });
});
