import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { DocumentBuilder } from '../document/document-builder.js';
import { lastNumber } from './page-number.js';

/** Titles written by programs, such as file names. */
const PROGRAM_TITLE = /^(?:microsoft \w+ - |untitled)|\.(?:docx?|dvi|indd|pdf|pptx?|qxd|rtf|tex|xlsx?)$/i;

/** Sets title, language and metadata, including page labels. */
export async function addPdfMetadata(pdf: PDFDocumentProxy, builder: DocumentBuilder): Promise<void> {
  const { info } = await pdf.getMetadata();
  const field = (name: string): string | null => {
    const value: unknown = name in info ? Reflect.get(info, name) : null;
    return typeof value === 'string' ? value : null;
  };
  const title = field('Title');
  if (title !== null && !PROGRAM_TITLE.test(title)) builder.setTitle(title);
  builder.setLanguage(field('Language'));
  for (const name of ['Author', 'Subject', 'Keywords', 'Producer', 'CreationDate']) {
    builder.setMetadata(name.charAt(0).toLowerCase() + name.slice(1), field(name));
  }
  builder.setMetadata('pageLabels', labelRanges((await pdf.getPageLabels()) ?? []));
}

/**
 * Summarizes page labels. `1=i 13=1` means that page 1 has the label i, page 13 has the label 1, and the
 * labels in between count up. Null when every label is the page number.
 */
export function labelRanges(labels: readonly string[]): string | null {
  if (labels.every((label, index) => label === String(index + 1))) return null;
  const runs: string[] = [];
  for (const [index, label] of labels.entries()) {
    const isNext = index > 0 && isSuccessor(labels[index - 1] ?? '', label);
    if (!isNext && label.trim() !== '') runs.push(`${index + 1}=${label}`);
    if (runs.length >= MAX_RUNS) break;
  }
  return runs.join(' ');
}

const MAX_RUNS = 200;
const ROMAN_END = /[ivxlcdm]$/i;

function isSuccessor(before: string, label: string): boolean {
  const number = lastNumber(before);
  if (number !== undefined && before.endsWith(number[0]))
    return label === `${before.slice(0, number.index)}${Number(number[0]) + 1}`;
  // Roman numerals are assumed to count up.
  return ROMAN_END.test(before) && ROMAN_END.test(label) && label !== before;
}

/** Formats page numbers as ranges: `1-3, 7`. */
export function pageRanges(pages: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const page of pages) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === page - 1) last[1] = page;
    else ranges.push([page, page]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}
