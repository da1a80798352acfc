import { execFileSync } from 'node:child_process';

/** Of the Debian package poppler-utils. */
const PDFTOTEXT = 'pdftotext';
const MAX_TEXT_BYTES = 512 * 1024 * 1024;
/** Lines at each end of a page that may be a running header or footer. */
const EDGE_LINES = 2;
/** On so many pages a line stands before it counts as running. */
const MIN_PAGES = 3;

/**
 * What poppler's `pdftotext` reads, without running headers, footers and page numbers: lines at the edge of a page
 * that, digits apart, stand at the edge of other pages too. Needs `pdftotext` on the PATH.
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

/** Page numbers differ from page to page, in Arabic and in Roman figures. */
function keyOf(line: string): string {
  return line
    .trim()
    .toLowerCase()
    .replace(/\d+/g, '#')
    .replace(/^[ivxlc]+$/, '#');
}
