import { buildDocx, buildPdf, wordParagraph } from '@citewell/documents/test-files';
import type { SourceFile } from '../../client/tenant.js';
import { SeededRandom } from './seeded-random.js';

/** Occurs in every paragraph of every file, so that a query for it finds every chunk. */
export const COMMON_WORD = 'ledgerword';

const WORDS =
  'harbour winter cable window copper engine letter garden market signal bottle ribbon tunnel planet orchard ' +
  'violin magnet anchor basket candle desert falcon glacier hammer island jacket kettle lantern meadow needle';

const PDF_MIME = 'application/pdf';
const DOCX_MIME = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/**
 * Files of six types with different texts. Most have a few chunks; every fifteenth has several batches of
 * chunks.
 */
export function makeCorpus(count: number, seed = 1): SourceFile[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const paragraphs = paragraphsOf(random, index, index % 15 === 14 ? 90 : random.between(2, 12));
    return makeFile(index, paragraphs);
  });
}

function paragraphsOf(random: SeededRandom, index: number, count: number): string[] {
  const words = WORDS.split(' ');
  return Array.from({ length: count }, (_, position) => {
    const sentence = Array.from({ length: random.between(60, 120) }, () => random.pick(words)).join(' ');
    return `Entry ${position} of file ${index}. ${COMMON_WORD} ${sentence}.`;
  });
}

function makeFile(index: number, paragraphs: string[]): SourceFile {
  const name = `file-${String(index).padStart(4, '0')}`;
  switch (index % 6) {
    case 0:
      return file(
        `${name}.md`,
        'text/markdown',
        paragraphs.map((p, i) => `## Part ${i}\n\n${p}`).join('\n\n'),
      );
    case 1:
      return file(
        `${name}.csv`,
        'text/csv',
        `number,entry\n${paragraphs.map((p, i) => `${i},"${p}"`).join('\n')}\n`,
      );
    case 2:
      return file(
        `${name}.json`,
        'application/json',
        JSON.stringify(paragraphs.map((entry, number) => ({ number, entry }))),
      );
    case 3:
      return {
        name: `${name}.docx`,
        mimeType: DOCX_MIME,
        content: buildDocx(paragraphs.map((p) => wordParagraph(p)).join('')),
      };
    case 4:
      return { name: `${name}.pdf`, mimeType: PDF_MIME, content: buildPdf(paragraphs.map(pageOf)) };
    default:
      return file(`${name}.txt`, 'text/plain', paragraphs.join('\n\n'));
  }
}

/** A PDF page with ten words per line. */
function pageOf(paragraph: string) {
  const words = paragraph.split(' ');
  const lines = Array.from({ length: Math.ceil(words.length / 10) }, (_, line) =>
    words.slice(line * 10, line * 10 + 10).join(' '),
  );
  return lines.map((text, line) => ({ text, y: 740 - line * 14, x: 60, size: 10 }));
}

function file(name: string, mimeType: string, text: string): SourceFile {
  return { name, mimeType, content: new TextEncoder().encode(text) };
}
