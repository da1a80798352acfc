import { DocumentError } from '../document/document-error.js';
import { DESCRIBED, pageNumbers } from '../document/recognition.js';
import type { DocumentParser } from '../document-parser.js';
import { PageFonts } from '../pdf/page-fonts.js';
import { PdfLayout } from '../pdf/pdf-layout.js';
import { PdfOutline } from '../pdf/pdf-outline.js';
import { noteOf } from '../recognized/recognition-note.js';
import { warnOfRecognition } from '../recognized/recognition-warnings.js';
import { RecognizedPages } from '../pdf/recognized-pages.js';
import { type CleanPage, RunningLines } from '../pdf/running-lines.js';

import { tiffPages } from './tiff-pages.js';

/** In points, as the height of a page of a PDF. Only ratios count. */
const PAGE_HEIGHT = 842;

/** Reads pictures: each page of a TIFF, the first frame of a GIF. All text is that of OCR. */
export const pictureParser: DocumentParser = {
  parse({ bytes, recognized, onScans, onProgress }, builder) {
    const total = Math.max(1, tiffPages(bytes).length);
    const numbers = Array.from({ length: total }, (_, index) => index + 1);
    builder.setPageCount(total);
    const unread = numbers.filter((number) => recognized?.has(number) !== true);
    builder.setMetadata('unrecognizedPages', pageNumbers(unread));
    for (const page of unread) builder.recognized.setContent(page, 'unread');
    if (unread.length > 0) onScans?.(unread);
    if (recognized === undefined) throw new DocumentError('OCR_REQUIRED', 'a picture');
    const pages = new RecognizedPages(recognized);
    const descriptions = new Map(
      Array.from(recognized).flatMap(([page, table]) => {
        const { description } = noteOf(table);
        return description === undefined ? [] : [[page, description] as const];
      }),
    );
    const layout = new PdfLayout(builder, PdfOutline.EMPTY, new PageFonts());
    const runningLines = new RunningLines();
    const addPage = (page: CleanPage): void => {
      for (const line of page.repeated) builder.leaveOut('running', line);
      layout.addPage(page);
    };
    for (const number of numbers) {
      builder.recognized.addUnreadable(pages.unreadable(number));
      const lines = pages.lines(number, PAGE_HEIGHT, layout.bodySize);
      const described = descriptions.has(number) ? 'described' : 'empty';
      if (pages.has(number))
        builder.recognized.setContent(number, lines.length > 0 ? 'recognized' : described);
      layout.addToStatistics(lines);
      for (const page of runningLines.add({ number, lines, comments: [] })) addPage(page);
      onProgress({ done: number, total });
    }
    for (const page of runningLines.finish()) addPage(page);
    layout.finish();
    for (const [page, description] of descriptions)
      builder.beginPage(page).block('paragraph', description, { confidence: DESCRIBED });
    warnOfRecognition(builder, recognized);
    if (builder.isEmpty)
      throw new DocumentError('EMPTY_DOCUMENT', 'OCR found no text', {
        userMessage: 'Text recognition (OCR) found no text in the picture.',
      });
    if (unread.length > 0)
      builder.warn('PARTLY_READ', `Text recognition (OCR) failed on pages ${pageNumbers(unread)}.`);
  },
};
