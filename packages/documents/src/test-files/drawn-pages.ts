import { execFileSync } from 'node:child_process';
import { crc32, deflateSync } from 'node:zlib';
import type { PdfPicture } from './pdf.builder.js';

const RENDERER = 'pdftoppm';
const MAX_BYTES = 512 * 1024 * 1024;

/**
 * Renders the pages of a PDF as images with poppler's `pdftoppm`, for building a file like that of a scanner.
 *
 * @throws Error when the program is not installed or cannot read the file
 */
export function drawPages(pdf: Uint8Array): PdfPicture[] {
  const output = execFileSync(RENDERER, ['-gray', '-r', '150'], { input: pdf, maxBuffer: MAX_BYTES });
  const pictures: PdfPicture[] = [];
  for (let at = 0; at < output.length;) {
    // P5, width, height, 255, then one byte per pixel (netpbm's pgm(5)).
    const header = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(output.toString('latin1', at, at + 100));
    if (header === null) throw new Error('pdftoppm did not return greyscale images');
    const [width, height] = [Number(header[1]), Number(header[2])];
    const start = at + header[0].length;
    at = start + width * height;
    pictures.push({ width, height, grey: output.subarray(start, at) });
  }
  return pictures;
}

/** A picture as a PNG file (ISO/IEC 15948). */
export function pngOf({ width, height, grey }: PdfPicture): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  // Each row begins with the number of its filter.
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row += 1)
    rows.set(grey.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  const data = chunk('IDAT', deflateSync(rows));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    data,
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
