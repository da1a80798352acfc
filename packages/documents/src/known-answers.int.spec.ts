import { describe, expect, it } from '@jest/globals';
// One document of each format with a known sentence: its page, heading path and anchor are checked.
import assert from 'node:assert/strict';
import { chunkDocument } from './chunks/chunk-document.js';
import { DOCX, EPUB, type FileType, ODP, ODS, ODT, PPTX, RTF, XLSX } from './file-type/file-type.js';
import {
  buildDocx,
  buildEpub,
  buildOdp,
  buildOds,
  buildOdt,
  buildPdf,
  buildPptx,
  buildXlsx,
  slideShape,
  wordParagraph,
} from './test-files/index.js';
import { parse } from './test-files/parse.js';

interface Answer {
  readonly page?: number;
  readonly headingPath: readonly string[];
  readonly anchor?: string;
}

const BOOKMARKED =
  '<w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:bookmarkStart w:name="needle"/><w:r><w:t>Stack</w:t></w:r></w:p>';
const FILES: readonly (readonly [type: FileType, file: string | Uint8Array, answer: Answer])[] = [
  [
    'application/pdf',
    buildPdf([
      [
        { text: 'Hay', y: 700, size: 24 },
        { text: 'There is nothing here but hay, and a lot of it.', y: 660 },
      ],
      [
        { text: 'Stack', y: 700, size: 17 },
        { text: 'The needle is in this one, says the farmer.', y: 660 },
      ],
    ]),
    { page: 2, headingPath: ['Hay', 'Stack'] },
  ],
  [
    DOCX,
    buildDocx(wordParagraph('Hay', 'Heading1') + BOOKMARKED + wordParagraph('The needle is here.')),
    { headingPath: ['Hay', 'Stack'], anchor: 'needle' },
  ],
  [
    PPTX,
    buildPptx([
      slideShape(['Hay'], 'title'),
      slideShape(['Stack'], 'title') + slideShape(['The needle'], 'body'),
    ]),
    { page: 2, headingPath: ['Stack'] },
  ],
  [
    XLSX,
    buildXlsx([
      { name: 'Hay', rows: '<row><c t="str"><v>nothing</v></c></row>' },
      { name: 'Stack', rows: '<row><c t="str"><v>the needle</v></c></row>' },
    ]),
    { headingPath: ['Stack'] },
  ],
  ['text/csv', 'what,where\nhay,here\nneedle,there', { headingPath: [] }],
  ['application/json', '{"stack": [{"what": "hay"}, {"what": "needle"}]}', { headingPath: [] }],
  [
    'text/markdown',
    '# Hay\n\n## A stack\n\nThe needle.',
    { headingPath: ['Hay', 'A stack'], anchor: 'a-stack' },
  ],
  ['text/plain', 'Hay\n===\n\nNothing.\n\n1.1 Stack\n\nThe needle.', { headingPath: ['Hay', '1.1 Stack'] }],
  [
    'text/html',
    '<main><h1>Hay</h1><h2 id="stack">Stack</h2><p>The needle.</p></main>',
    { headingPath: ['Hay', 'Stack'], anchor: 'stack' },
  ],
  [
    EPUB,
    buildEpub('<h1>Hay</h1><h2 id="stack">Stack</h2><p>The needle.</p>'),
    { headingPath: ['Hay', 'Stack'], anchor: 'stack' },
  ],
  [
    RTF,
    '{\\rtf1{\\stylesheet{\\s1 heading 1;}{\\s2 heading 2;}}\\pard\\s1 Hay\\par\\pard\\s2 Stack\\par\\pard The needle.\\par}',
    { headingPath: ['Hay', 'Stack'] },
  ],
  [
    ODT,
    buildOdt(
      '<text:h text:outline-level="1">Hay</text:h><text:h text:outline-level="2">Stack</text:h><text:p>The needle.</text:p>',
    ),
    { headingPath: ['Hay', 'Stack'] },
  ],
  [
    ODS,
    buildOds(
      '<table:table table:name="Stack"><table:table-row><table:table-cell><text:p>needle</text:p></table:table-cell><table:table-cell><text:p>there</text:p></table:table-cell></table:table-row></table:table>',
    ),
    { headingPath: ['Stack'] },
  ],
  [
    ODP,
    buildOdp('<draw:page/><draw:page><draw:rect><text:p>The needle.</text:p></draw:rect></draw:page>'),
    { page: 2, headingPath: [] },
  ],
  [
    'message/rfc822',
    'From: a@b.example\nContent-Type: text/html\n\n<h1>Hay</h1><h2 id="stack">Stack</h2><p>The needle.</p>',
    { headingPath: ['Hay', 'Stack'], anchor: 'stack' },
  ],
];

describe('documents with known answers', () => {
  for (const [type, file, answer] of FILES) {
    it(`finds the needle in ${type}`, async () => {
      const document = await parse(file, type);
      const chunks = [...chunkDocument(document)].filter((chunk) => chunk.text.includes('needle'));
      expect(chunks).toHaveLength(1);
      const [chunk] = chunks;
      assert.ok(chunk);
      expect(document.text.slice(chunk.start, chunk.end)).toBe(chunk.text);
      const { page, headingPath, anchor } = chunk;
      expect({
        headingPath,
        ...(page === undefined ? {} : { page }),
        ...(anchor === undefined ? {} : { anchor }),
      }).toEqual(answer);
    });
  }
});
