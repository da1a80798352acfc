import { DocumentError } from '../document/document-error.js';

/**
 * Decodes a page of a TIFF for Tesseract, whose own decoder does not know all kinds.
 *
 * @param page from 1
 * @returns a greyscale picture in the PGM format
 * @throws DocumentError if this decoder cannot read it either
 */
export async function decodeTiff(file: Uint8Array, page: number): Promise<Uint8Array> {
  const { default: tiff } = await import('utif2');
  const copy = Uint8Array.from(file).buffer;
  try {
    const directory = tiff.decode(copy)[page - 1];
    if (directory === undefined) throw new RangeError(`no page ${page}`);
    tiff.decodeImage(copy, directory);
    const { width, height } = directory;
    const colors = tiff.toRGBA8(directory);
    const grey = new Uint8Array(width * height);
    for (let pixel = 0; pixel < grey.length; pixel += 1) {
      const [red = 0, green = 0, blue = 0] = colors.subarray(pixel * 4, pixel * 4 + 3);
      // Luma of ITU-R BT.601.
      grey[pixel] = Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
    }
    return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), grey]);
  } catch (cause) {
    throw new DocumentError('CORRUPT_FILE', `page ${page} of a TIFF cannot be decoded`, {
      cause,
      userMessage: `Page ${page} of the TIFF file is damaged, or compressed in a way that cannot be read. Save it as PNG or PDF, and upload it again.`,
    });
  }
}
