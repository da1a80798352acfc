import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { pdfEngine } from './pdf-engine.js';

/** Fewer shapes are rules and boxes; text converted to outlines has more. */
const MIN_SHAPES = 20;

/**
 * Whether a page without text seems to show text: it has an image, or letters as outlines. Images are
 * recognized by their transformation, because the engine does not decode images here (see `openPdf`).
 *
 * @param withAnnotations whether to consider the appearance of annotations, such as stamps
 */
export async function looksScanned(
  page: PDFPageProxy,
  { withAnnotations }: { withAnnotations: boolean },
): Promise<boolean> {
  const { AnnotationMode, OPS: operators } = await pdfEngine();
  const { fnArray } = await page.getOperatorList({
    annotationMode: withAnnotations ? AnnotationMode.ENABLE : AnnotationMode.DISABLE,
  });
  let shapes = 0;
  for (const operator of fnArray) {
    if (operator === operators.transform) return true;
    if (operator === operators.constructPath) shapes += 1;
  }
  return shapes >= MIN_SHAPES;
}
