import { type Attack, slowAttacks } from '@citewell/testing/slow-attacks';
import { describe, expect, it } from '@jest/globals';
import { DocumentError } from './document/document-error.js';
import type { FileType } from './file-type/file-type.js';
import { chunkDocument, parseDocument } from './index.js';

const LENGTH = 10_000;
/** CPU time. The tokens of Markdown cost most. */
const MOST_US_PER_CHARACTER = { text: 10, markdown: 100 };

const MARKUP: readonly Attack[] = [
  ['', '<', ''],
  ['', '</', ''],
  ['', '<!--', ''],
  ['', '<a b="', '>'],
  ['<p style="', 'a:b;', '">x'],
  ['', '<div>', ''],
  ['', '<b><i>', 'x'],
  ['<table>', '<td>', ''],
  ['', '<select><option>', ''],
  ['', '<a href="x">y', ''],
  ['', '&a', ''],
];
/** Only long pages of them show quadratic time. */
const SIBLINGS: readonly Attack[] = [
  ['', '<b>a</b><script type="math/tex">x</script>', ''],
  ['<b>', '<img alt="a"><img alt="b">', '</b>'],
  ['<label>a', '<input value=b>', ''],
  ['<label for=a>x</label>', '<input id=a value=b>', ''],
  ['<figure>', '<figcaption>a</figcaption><img alt=b>', ''],
  ['', '<b style="white-space:pre-wrap">\n', 'x'],
];
const LINES: readonly Attack[] = [
  ['', ' ', 'x'],
  ['', '\t', 'x'],
  ['', ' \n', 'x'],
  ['', '\r', 'x'],
  ['', 'a,', ''],
  ['', '"a"b', ''],
  ['', 'a  b  c\n', ''],
  ['', '-\n', 'x'],
  ['', 'Page 1 of 2\n', ''],
  ['', 'A. ', ''],
  ['', '字。', ''],
  ['', 'a\u0301', ''],
  ['', 'http://a', ''],
];
// Numbered lists in one line (`1. 1. 1.`) and open emphasis (`*a_*a_`) take the parser longer: its process has a limit.
const MARKDOWN: readonly Attack[] = [
  ['', '- ', ''],
  ['', '> ', 'x'],
  ['', '[', ''],
  ['', '](', ''],
  ['', '`a', ''],
  ['', '[a]: b\n', 'x'],
  ['|a|b|\n|-|-|\n', '|a', ''],
  ['---\n', 'a: b\n', ''],
  ['', '~~', ''],
  ['', '# a\n', ''],
];
const MAIL: readonly Attack[] = [
  ['From: a\n', 'X: b\n', '\nx'],
  ['From: a\nSubject: ', '=?utf-8?q?a?= ', '\n\nx'],
  ['From: a\nContent-Type: multipart/mixed; boundary=b\n\n', '--b\n\n', 'x'],
  ['From: a\n', 'Content-Type: multipart/alternative; boundary=b\n\n--b\n', 'x'],
  ['From: a\n\n', '> ', 'x'],
  ['From: a\n\n', 'On a, b wrote:\n', 'x'],
];
const RTF: readonly Attack[] = [
  ['{\\rtf1 ', '{\\b ', ''],
  ['{\\rtf1 ', "\\'e9", '}'],
  ['{\\rtf1 ', '\\par ', 'x}'],
];
const JSON_TEXTS: readonly Attack[] = [
  ['{"a":', '[', ''],
  ['["', '\\u0061', '"]'],
  ['', '{"a":1}\n', ''],
];

const FORMATS: readonly (readonly [FileType, readonly Attack[]])[] = [
  ['text/html', [...MARKUP, ...LINES]],
  ['text/plain', [...MARKUP, ...LINES, ...MARKDOWN]],
  ['text/csv', LINES],
  ['text/markdown', [...MARKUP, ...LINES, ...MARKDOWN]],
  ['message/rfc822', MAIL],
  ['application/rtf', RTF],
  ['application/json', JSON_TEXTS],
];

describe('hostile text', () => {
  it.each(FORMATS)('of type %s is parsed and cut in linear time', async (fileType, attacks) => {
    const read = async (text: string): Promise<void> => {
      const document = await parseDocument(new TextEncoder().encode(text), { fileType });
      for (const chunk of chunkDocument(document)) expect(chunk.end).toBeGreaterThan(chunk.start);
    };
    const readOrRefuse = (text: string): Promise<void> =>
      read(text).catch((error: unknown) => expect(error).toBeInstanceOf(DocumentError));
    const most = MOST_US_PER_CHARACTER[fileType === 'text/markdown' ? 'markdown' : 'text'];
    const limitMs = (LENGTH * most) / 1_000;
    expect(await slowAttacks(attacks, { length: LENGTH, limitMs }, readOrRefuse)).toEqual([]);
  });

  it('in many elements beside each other is parsed in linear time', async () => {
    const read = (text: string): Promise<unknown> =>
      parseDocument(new TextEncoder().encode(text), { fileType: 'text/html' });
    expect(await slowAttacks(SIBLINGS, { length: 20 * LENGTH, limitMs: 400 }, read)).toEqual([]);
  });
});
