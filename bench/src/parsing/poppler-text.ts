import { execFileSync } from 'node:child_process';

/** From the Debian package poppler-utils. */
const PDFTOTEXT = 'pdftotext';
const MAX_TEXT_BYTES = 512 * 1024 * 1024;
/** Lines at each end of a page that may be a running header or footer. */
const EDGE_LINES = 2;
/** Number of pages on which a line must occur to count as a running header or footer. */
const MIN_PAGES = 3;

/**
 * The text that poppler's `pdftotext` extracts, without running headers, footers and page numbers. These are
 * lines at the top or bottom of a page that occur there on other pages too, with digits ignored. Needs
 * `pdftotext` on the PATH.
 */
export function popplerText(file: string): string {
  const output = execFileSync(PDFTOTEXT, ['-enc', 'UTF-8', file, '-'], {
    encoding: 'utf8',
    maxBuffer: MAX_TEXT_BYTES,
  });
  const pages = output.split('\f').map((page) => page.split('\n').filter((line) => line.trim() !== ''));
  const counts = new Map<string, number>();
  for (const page of pages) {
    for (const key of new Set(edgesOf(page).map((index) => keyOf(page[index] ?? '')))) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return pages
    .map((page) => {
      const edges = new Set(edgesOf(page));
      return page
        .filter((line, index) => !edges.has(index) || (counts.get(keyOf(line)) ?? 0) < MIN_PAGES)
        .join('\n');
    })
    .join('\n');
}

function edgesOf(page: readonly string[]): number[] {
  return page.flatMap((_, index) => (index < EDGE_LINES || index >= page.length - EDGE_LINES ? [index] : []));
}

/** Replaces page numbers, in Arabic or Roman numerals, so that the lines of different pages are equal. */
function keyOf(line: string): string {
  return line
    .trim()
    .toLowerCase()
    .replace(/\d+/g, '#')
    .replace(/^[ivxlc]+$/, '#');
}
