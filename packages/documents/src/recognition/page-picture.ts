import { PDFiumLibrary } from '@hyzyla/pdfium';

/**
 * Longer side of a rendered page in pixels. That is about 300 dpi for A4 and Letter, which Tesseract is
 * trained for, and a limit for larger pages.
 */
const LONG_SIDE_PIXELS = 3_400;

/** Pixels of a square whose mean is compared, which evens out the grain of paper. Letters have strokes of 4 pixels and more. */
const SQUARE = 8;
/** Squares between two that are compared: the light of a scan changes over longer ways. */
const STEP = 3;
/** Of 255 levels of grey. */
const MIN_CONTRAST = 16;
/** Squares with contrast. A letter has more of them. */
const MAX_BLANK_SQUARES = 8;

/** One byte for each pixel, from 0 (black) to 255. */
export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  readonly grey: Uint8Array;
}

let renderer: Promise<PDFiumLibrary> | undefined;

/**
 * Renders a page of a PDF. Pages are rendered instead of extracting their images, because a page may consist
 * of stripes, masks, layers or outlines, and may be rotated.
 *
 * @param number from 1
 */
export async function drawPage(pdf: Uint8Array, number: number): Promise<GreyPicture> {
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
    return { width, height, grey: data };
  } finally {
    document.destroy();
  }
}

/** The picture in the PGM format. */
export function pgmOf({ width, height, grey }: GreyPicture): Uint8Array {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), grey]);
}

/** Whether a page is empty paper. Tesseract takes its grain for thousands of words, and minutes for them. */
export function isBlank({ width, height, grey }: GreyPicture): boolean {
  const [across, down] = [Math.trunc(width / SQUARE), Math.trunc(height / SQUARE)];
  let withContrast = 0;
  for (let row = 0; row < down; row += 1) {
    const means = new Float64Array(across);
    for (let y = row * SQUARE; y < (row + 1) * SQUARE; y += 1)
      for (let x = 0; x < across * SQUARE; x += 1)
        means[Math.trunc(x / SQUARE)]! += (grey[y * width + x] ?? 0) / SQUARE ** 2;
    for (let column = STEP; column < across; column += 1)
      if (Math.abs((means[column] ?? 0) - (means[column - STEP] ?? 0)) >= MIN_CONTRAST) withContrast += 1;
    if (withContrast > MAX_BLANK_SQUARES) return false;
  }
  return true;
}
