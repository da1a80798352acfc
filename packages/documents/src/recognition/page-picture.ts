import { PDFiumLibrary } from '@hyzyla/pdfium';

/**
 * Longer side of a rendered page in pixels. That is about 300 dpi for A4 and Letter, which Tesseract is
 * trained for, and a limit for larger pages.
 */
const LONG_SIDE_PIXELS = 3_400;

let renderer: Promise<PDFiumLibrary> | undefined;

/**
 * Renders a page of a PDF. Pages are rendered instead of extracting their images, because a page may consist
 * of stripes, masks, layers or outlines, and may be rotated.
 *
 * @param number from 1
 * @returns a greyscale picture in the PGM format
 */
export async function drawPage(pdf: Uint8Array, number: number): Promise<Uint8Array> {
  const library = await (renderer ??= PDFiumLibrary.init());
  const document = await library.loadDocument(pdf);
  try {
    const page = document.getPage(number - 1);
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const scale = LONG_SIDE_PIXELS / Math.max(originalWidth, originalHeight);
    const { width, height, data } = await page.render({
      scale: 1,
      width: Math.max(1, Math.round(originalWidth * scale)),
      height: Math.max(1, Math.round(originalHeight * scale)),
      colorSpace: 'Gray',
      render: 'bitmap',
    });
    return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), data]);
  } finally {
    document.destroy();
  }
}
