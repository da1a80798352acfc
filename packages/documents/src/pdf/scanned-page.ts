import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { pdfEngine } from './pdf-engine.js';

/** Fewer filled shapes than these are rules and boxes; letters that were turned into outlines are more. */
const MIN_SHAPES = 20;

/**
 * Whether a page without text shows something that may be text: a picture, or letters as outlines. Pictures are not
 * decoded for it: the engine leaves them out here (see `openPdf`), and what remains of one is the matrix that places it.
 *
 * @param withAnnotations whether what is drawn of annotations counts, such as the picture of a stamp
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
