import { deflateSync } from 'node:zlib';
import { assemble, assemblePacked } from './pdf-file.js';

export interface PdfLine {
  readonly text: string;
  readonly x?: number;
  readonly y: number;
  readonly size?: number;
  /** Default: Helvetica. */
  readonly font?: 'bold' | 'fixed';
}

/** A page with an image, as scanners make them: grey values, row by row from the top. */
export interface PdfPicture {
  readonly width: number;
  readonly height: number;
  readonly grey: Uint8Array;
  /** Lines that are printed on it. */
  readonly lines?: readonly PdfLine[];
}

/** A link over words of a line. */
export interface PdfLinkedWords {
  /** From 0. */
  readonly page: number;
  readonly left: number;
  readonly right: number;
  /** Baseline of the words. */
  readonly y: number;
  readonly address: string;
}

export interface PdfOptions {
  readonly title?: string;
  /** Adds an encryption dictionary that no password opens. */
  readonly encrypted?: boolean;
  /** Titles of the top-level outline entries, which have no destinations. */
  readonly outline?: readonly string[];
  /** Rotates the pages, as scanners do. Lines are drawn so that they are upright after the rotation. */
  readonly rotate?: 90;
  /** Makes the page tree its own child. */
  readonly pageLoop?: boolean;
  readonly links?: readonly PdfLinkedWords[];
  /** Dictionaries of other annotations, by page from 0. */
  readonly annotations?: readonly { readonly page: number; readonly dictionary: string }[];
  /** Packs the objects into an object stream, as most programs do today. */
  readonly packed?: boolean;
}

const FONTS = { bold: 'F2', fixed: 'F3' } as const;
/** Object number of the first page, after catalog, page tree, three fonts and the document information. */
const FIRST_PAGE = 7;

/**
 * Builds a minimal PDF (ISO 32000-1, 7.5) with three standard fonts and lines of text at given positions.
 *
 * @param pages the lines of each page, in Latin letters, or an image that fills the page
 */
export function buildPdf(
  pages: readonly (readonly PdfLine[] | PdfPicture)[],
  options: PdfOptions = {},
): Uint8Array<ArrayBuffer> {
  const kids = pages.map((_, index) => `${FIRST_PAGE + index * 2} 0 R`).join(' ');
  const outline = FIRST_PAGE + pages.length * 2;
  const entries = options.outline ?? [];
  const rotate = options.rotate === undefined ? '' : `/Rotate ${options.rotate}`;
  const pictures: PdfPicture[] = [];
  const firstPicture = outline + (entries.length > 0 ? entries.length + 1 : 0);
  const annotations = [
    ...(options.links ?? []).map((link) => ({
      page: link.page,
      dictionary: linkObject(link, options.rotate),
    })),
    ...(options.annotations ?? []),
  ];
  const firstAnnotation = firstPicture + pages.filter((page) => 'grey' in page).length;
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${entries.length > 0 ? `/Outlines ${outline} 0 R` : ''} >>`,
    `<< /Type /Pages /Kids [${kids} ${options.pageLoop === true ? '2 0 R' : ''}] /Count ${pages.length + (options.pageLoop === true ? 1 : 0)} >>`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    font('Courier'),
    `<< /Title ${literal(options.title ?? '')} >>`,
    ...pages.flatMap((page, index) => {
      const isPicture = 'grey' in page;
      const lines = isPicture ? (page.lines ?? []) : page;
      const content = [
        ...(isPicture ? ['q 612 0 0 792 0 0 cm /P Do Q'] : []),
        ...lines.map((line) => drawLine(line, options.rotate)),
      ].join('\n');
      const picture = isPicture ? `/XObject << /P ${firstPicture + pictures.push(page) - 1} 0 R >>` : '';
      const own = annotations.flatMap(({ page: at }, n) =>
        at === index ? [`${firstAnnotation + n} 0 R`] : [],
      );
      const list = own.length === 0 ? '' : `/Annots [${own.join(' ')}]`;
      return [
        `<< /Type /Page /Parent 2 0 R ${rotate} ${list} /MediaBox [0 0 612 792] /Contents ${FIRST_PAGE + 1 + index * 2} 0 R ` +
          '/Resources << /Font << /F1 3 0 R /F2 4 0 R /F3 5 0 R >> ' +
          `${picture} >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  if (entries.length > 0) {
    objects.push(
      `<< /First ${outline + 1} 0 R /Last ${outline + entries.length} 0 R /Count ${entries.length} >>`,
    );
    for (const [index, title] of entries.entries()) {
      const next = index + 1 < entries.length ? `/Next ${outline + index + 2} 0 R` : '';
      objects.push(`<< /Title ${literal(title)} /Parent ${outline} 0 R ${next} >>`);
    }
  }
  objects.push(...pictures.map(pictureObject), ...annotations.map(({ dictionary }) => dictionary));
  if (options.encrypted === true) {
    const key = `<${'ab'.repeat(32)}>`;
    objects.push(`<< /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O ${key} /U ${key} >>`);
  }
  return options.packed === true
    ? assemblePacked(objects)
    : assemble(objects, { encrypted: options.encrypted === true });
}

/** Builds a PDF from the given objects; the first one is the catalog. */
export function buildRawPdf(objects: readonly string[]): Uint8Array<ArrayBuffer> {
  return assemble(objects);
}

export interface PdfPageOptions {
  /** Entries of the resource dictionary beside the fonts F1 (Helvetica) and F2 (with `letters`). */
  readonly resources?: string;
  /** Entries of the catalog. */
  readonly catalog?: string;
  /** Entries of the page. */
  readonly page?: string;
  /** Further objects; their numbers begin at {@link FIRST_EXTRA}. */
  readonly objects?: readonly string[];
  /** What the letters A, B, C… of the font F2 stand for. */
  readonly letters?: readonly string[];
}

/** Number of the first further object of {@link buildPdfPage}. */
export const FIRST_EXTRA = 9;

/** Builds a PDF of one page with the given drawing operators. */
export function buildPdfPage(content: string, options: PdfPageOptions = {}): Uint8Array<ArrayBuffer> {
  const { resources = '', catalog = '', page = '', objects = [], letters = [] } = options;
  const fonts = '/Font << /F1 5 0 R /F2 7 0 R >>';
  return assemble([
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << ${fonts} ${resources} >> ${page} >>`,
    streamObject(content),
    font('Helvetica'),
    '<< >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode 8 0 R >>',
    streamObject(characterMap(letters)),
    ...objects,
  ]);
}

/** A stream with a dictionary. */
export function streamObject(content: string, entries = ''): string {
  return `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`;
}

/** Maps the letters A, B, C… (ISO 32000-1, 9.10.3). */
function characterMap(letters: readonly string[]): string {
  const hex = (text: string): string =>
    [...text].map((letter) => (letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')).join('');
  const rows = letters.map((text, index) => `<${(65 + index).toString(16)}> <${hex(text)}>`);
  return (
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n' +
    `1 begincodespacerange <00> <ff> endcodespacerange\n${rows.length} beginbfchar\n${rows.join('\n')}\nendbfchar\n` +
    'endcmap end end'
  );
}

function font(name: string): string {
  return `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
}

function pictureObject({ width, height, grey }: PdfPicture): string {
  const data = deflateSync(grey).toString('latin1');
  return (
    `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 ` +
    `/Filter /FlateDecode /Length ${data.length} >>\nstream\n${data}\nendstream`
  );
}

function linkObject({ left, right, y, address }: PdfLinkedWords, rotate: 90 | undefined): string {
  const [bottom, top] = [y - 3, y + 10];
  const box = rotate === undefined ? [left, bottom, right, top] : [612 - top, left, 612 - bottom, right];
  return (
    `<< /Type /Annot /Subtype /Link /Border [0 0 0] /Rect [${box.join(' ')}] ` +
    `/A << /S /URI /URI ${literal(address)} >> >>`
  );
}

function drawLine({ text, x = 72, y, size = 12, font }: PdfLine, rotate: 90 | undefined): string {
  const name = font === undefined ? 'F1' : FONTS[font];
  // The page is shown rotated clockwise, so it is drawn rotated counterclockwise.
  const matrix = rotate === undefined ? `1 0 0 1 ${x} ${y}` : `0 1 -1 0 ${612 - y} ${x}`;
  return `BT /${name} ${size} Tf ${matrix} Tm ${literal(text)} Tj ET`;
}

function literal(text: string): string {
  return `(${text.replace(/[\\()]/g, '\\$&')})`;
}
