import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import { Util } from 'pdfjs-dist';
import { locateQuote } from './locate-quote.js';

/** A part of a page, in percent of its width and height. */
export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The width of a page on the screen, in CSS pixels. */
const WIDTH = 820;
/** Pages after the one on which a passage begins that its quote may be on. */
const FOLLOWING_PAGES = 2;

const measuring = new OffscreenCanvas(1, 1).getContext('2d');

/**
 * Draws a page of a PDF, with the sharpness of the screen.
 *
 * @returns where the quote is on the page; empty if it is not found
 */
export async function drawPage(
  pdf: PDFDocumentProxy,
  number: number,
  { canvas, quote, signal }: { canvas: HTMLCanvasElement; quote: string | null; signal: AbortSignal },
): Promise<Rectangle[]> {
  const page = await pdf.getPage(number);
  signal.throwIfAborted();
  const scale = (WIDTH * devicePixelRatio) / page.getViewport({ scale: 1 }).width;
  const viewport = page.getViewport({ scale });
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  canvas.style.width = `${WIDTH}px`;
  const task = page.render({ canvas, viewport });
  signal.addEventListener('abort', () => task.cancel());
  await task.promise;
  return quote === null ? [] : rectanglesOf(page, quote);
}

async function rectanglesOf(page: PDFPageProxy, quote: string): Promise<Rectangle[]> {
  const { items, styles } = await page.getTextContent();
  // Marked-content items have no text.
  const texts = items.filter((item) => 'str' in item);
  const { width: pageWidth, height: pageHeight, transform } = page.getViewport({ scale: 1 });
  return locateQuote(
    texts.map(({ str }) => str),
    quote,
  ).flatMap(({ item, from, to }) => {
    const text = texts[item];
    if (!text || text.str.length === 0) return [];
    const [, , c, d, x, y] = Util.transform(transform, text.transform) as number[];
    if (c === undefined || d === undefined || x === undefined || y === undefined) return [];
    const height = Math.hypot(c, d);
    const widthTo = (index: number): number =>
      text.width * shareOfWidth(text.str, index, styles[text.fontName]?.fontFamily ?? 'sans-serif');
    return [
      {
        left: ((x + widthTo(from)) / pageWidth) * 100,
        top: ((y - height) / pageHeight) * 100,
        width: ((widthTo(to) - widthTo(from)) / pageWidth) * 100,
        height: ((height * 1.2) / pageHeight) * 100,
      },
    ];
  });
}

/** The share of a text's width that is before an index. The font is only like that of the page: its widths are similar. */
function shareOfWidth(text: string, index: number, fontFamily: string): number {
  if (measuring === null) return index / text.length;
  measuring.font = `16px ${fontFamily}`;
  return measuring.measureText(text.slice(0, index)).width / measuring.measureText(text).width;
}

/** The page on which most of a quote is, from the page on which its passage begins. */
export async function pageOfQuote(pdf: PDFDocumentProxy, first: number, quote: string): Promise<number> {
  let best = { page: first, length: 0 };
  const last = Math.min(first + FOLLOWING_PAGES, pdf.numPages);
  for (let page = first; page <= last; page++) {
    const { items } = await (await pdf.getPage(page)).getTextContent();
    const texts = items.flatMap((item) => ('str' in item ? [item.str] : []));
    const length = locateQuote(texts, quote).reduce((sum, { from, to }) => sum + to - from, 0);
    if (length > best.length) best = { page, length };
  }
  return best.page;
}
