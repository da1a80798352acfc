import type { INGESTION_ERRORS } from '@citewell/contracts/errors';
import { buildDocx, buildPdf, buildZip, drawPages, wordParagraph } from '@citewell/documents/test-files';

/** A malicious or damaged file, and the error that its datasource must end with. */
export interface HostileFile {
  readonly name: string;
  readonly content: Uint8Array<ArrayBuffer>;
  readonly code: keyof typeof INGESTION_ERRORS;
  /** Expected message, where it says more than the code. */
  readonly message?: RegExp;
}

const bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'latin1'));
const truncate = (file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  file.slice(0, Math.trunc(file.length * 0.6));
const line = (text: string) => [{ text, y: 700 }];

/**
 * One file for each error. `hostile-files.int.spec.ts` of `packages/documents` has more.
 *
 * @param maxCharacters the deployment's `PARSER_MAX_CHARACTERS`
 */
export function hostileFiles(maxCharacters: number): HostileFile[] {
  return [
    {
      name: 'bomb.docx',
      content: buildDocx(wordParagraph('0'.repeat(30_000_000))),
      code: 'TOO_COMPLEX',
      message: /unpacks to more than 200 times its size/,
    },
    {
      name: 'deep.json',
      content: bytes('{"a":'.repeat(500_000)),
      code: 'TOO_COMPLEX',
      message: /deeper than 200 levels/,
    },
    {
      name: 'long.txt',
      content: bytes('long '.repeat(maxCharacters / 4)),
      code: 'TOO_COMPLEX',
      message: new RegExp(`more than ${maxCharacters.toLocaleString('en')} characters`),
    },
    {
      name: 'locked.pdf',
      content: buildPdf([line('Secret')], { encrypted: true }),
      code: 'PASSWORD_REQUIRED',
    },
    {
      name: 'scan.pdf',
      content: buildPdf(drawPages(buildPdf([line('One'), line('Two')]))),
      code: 'OCR_REQUIRED',
      message: /^Pages 1-2 are scanned images\..*check OCR_LANGUAGES/,
    },
    { name: 'blank.pdf', content: buildPdf([[], []]), code: 'EMPTY_DOCUMENT' },
    {
      name: 'cut.docx',
      content: truncate(buildDocx(wordParagraph('word '.repeat(200)))),
      code: 'CORRUPT_FILE',
    },
    { name: 'nothing.md', content: bytes(' \n\n \n'), code: 'EMPTY_DOCUMENT' },
  ];
}

/** Files of other types, named as if they were of a supported one. */
export const REFUSED_FILES: readonly (readonly [name: string, content: Uint8Array<ArrayBuffer>])[] = [
  ['setup.pdf', bytes(`\u007fELF\u0002\u0001\u0001${'\0'.repeat(500)}`)],
  ['setup.txt', bytes(`MZ\u0090\0\u0003${'\0'.repeat(500)}`)],
  ['archive.docx', buildZip({ 'readme.txt': 'hello' })],
];

/** Text files truncated within a character, a code block or a cell. */
export const TRUNCATED_TEXTS: readonly (readonly [name: string, content: Uint8Array<ArrayBuffer>])[] = [
  ['cut.txt', bytes('The text ends in a caf\u00c3')],
  ['cut.md', bytes('# A heading\n\n```js\nconst a = ')],
  ['cut.csv', bytes('name,remark\nBergen,"a remark that does not')],
];
