import { execFileSync } from 'node:child_process';
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
