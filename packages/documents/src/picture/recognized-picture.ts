import type { Document } from '../document/document.js';
import { DocumentBuilder } from '../document/document-builder.js';
import { DESCRIBED } from '../document/recognition.js';
import { PageFonts } from '../pdf/page-fonts.js';
import { PdfLayout } from '../pdf/pdf-layout.js';
import { PdfOutline } from '../pdf/pdf-outline.js';
import { noteOf } from '../recognized/recognition-note.js';
import { RecognizedPages } from '../pdf/recognized-pages.js';

/** In points, as the height of a page of a PDF. Only ratios count. */
const PAGE_HEIGHT = 842;
/** Fewer letters are labels, signs and stains. */
const MIN_LETTERS = 20;
/** Percent. Words that are read in photos without text mostly have less. */
const CONFIDENT = 70;
/** Of all letters, those of confident words. */
const MIN_SHARE = 0.5;

/**
 * The text of a picture in a document, and what a model says about it.
 *
 * @param table Tesseract's tab-separated values
 * @returns null without a description, if the picture shows no text of some length that was read with confidence
 */
export function recognizedPicture(table: string): Document | null {
  const builder = new DocumentBuilder();
  if (isConfident(table)) addText(table, builder);
  const { description = '' } = noteOf(table);
  builder.block('paragraph', description, { confidence: DESCRIBED });
  return builder.isEmpty ? null : builder.build();
}

function addText(table: string, builder: DocumentBuilder): void {
  const pages = new RecognizedPages(new Map([[1, table]]));
  const layout = new PdfLayout(builder, PdfOutline.EMPTY, new PageFonts());
  const lines = pages.lines(1, PAGE_HEIGHT, 0);
  layout.addToStatistics(lines);
  layout.addPage({ number: 1, lines, first: { top: [], bottom: [] } });
  layout.finish();
}

function isConfident(table: string): boolean {
  let letters = 0;
  let confident = 0;
  for (const row of table.split('\n')) {
    const fields = row.split('\t');
    const count = fields[11]?.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    letters += count;
    if (Number(fields[10]) >= CONFIDENT) confident += count;
  }
  return confident >= MIN_LETTERS && confident >= letters * MIN_SHARE;
}
