import { type HostileFile, MEGABYTE, times } from './hostile-content.js';

const TEXT = 'The file of a hostile person tells of nothing.';
const nested = (depth: number): string =>
  `From: a\n${times(depth, () => 'Content-Type: message/rfc822\n\nFrom: a\n')}\n${TEXT}`;

/** Text formats. */
export const HOSTILE_TEXT_FILES: readonly HostileFile[] = [
  {
    name: 'columns.csv',
    content: `${times(1_000_000, (n) => `${n},`)}\n1,2\n`,
    outcome: 'error TOO_COMPLEX',
  },
  {
    name: 'wide.csv',
    content: `${times(16_000, (n) => `column number ${n},`)}\n${'1,'.repeat(16_000)}\n`.repeat(10),
    outcome: 'synched',
  },
  { name: 'quotes.csv', content: `a,b\n${'"'.repeat(MEGABYTE + 1)}`, outcome: 'synched' },
  { name: 'rows.csv', content: `a,b\n${'\n'.repeat(MEGABYTE)}${'x\n'.repeat(50_000)}`, outcome: 'synched' },
  { name: 'brackets.md', content: '['.repeat(50_000), outcome: 'synched' },
  { name: 'links.md', content: `${'[a]('.repeat(5_000)}${'![[]('.repeat(5_000)}`, outcome: 'synched' },
  {
    name: 'emphasis.md',
    content: `${'*a **a '.repeat(10_000)}\n\n${'a**b'.repeat(10_000)}\n\n${'_'.repeat(50_000)}a`,
    outcome: 'synched',
  },
  { name: 'quotes.md', content: '>'.repeat(50_000) + TEXT, outcome: 'error TOO_COMPLEX' },
  { name: 'lists.md', content: times(1_000, (n) => `${'  '.repeat(n)}- x\n`), outcome: 'error PARSE_MEMORY' },
  { name: 'markers.md', content: '* '.repeat(10_000) + TEXT, outcome: 'synched|error PARSE_TIMEOUT' },
  { name: 'ticks.md', content: times(2_000, (n) => `x${'`'.repeat(n)}`), outcome: 'synched' },
  {
    name: 'tags.md',
    content: `x ${'<!--'.repeat(20_000)}\n\n<script ${'<script'.repeat(20_000)}\n\n${'<a '.repeat(20_000)}`,
    outcome: 'synched|error PARSE_TIMEOUT',
  },
  {
    name: 'table.md',
    content: `${'|a'.repeat(20_000)}|\n${'|-'.repeat(20_000)}|\n${'|b\n'.repeat(5_000)}`,
    outcome: 'synched|error PARSE_MEMORY',
  },
  {
    name: 'footnotes.md',
    content: `${times(5_000, (n) => `[^${n}]`)}\n\n${times(5_000, (n) => `[^${n}]: [^${n + 1}]\n\n`)}`,
    outcome: 'synched',
  },
  {
    name: 'references.md',
    content: `[a]: ${'x'.repeat(10_000)}\n\n${'[a]'.repeat(20_000)}`,
    outcome: 'synched',
  },
  {
    name: 'front-matter.md',
    content: `---\n${times(30, (n) => `a${n}: &a${n} [${n ? `*a${n - 1},`.repeat(10) : 'x'}]\n`)}---\n${TEXT}`,
    outcome: 'synched',
  },
  { name: 'deep.json', content: '['.repeat(MEGABYTE) + ']'.repeat(MEGABYTE), outcome: 'error TOO_COMPLEX' },
  {
    name: 'keys.json',
    content: `{${times(100_000, (n) => `"k${n}":${n},`)}"__proto__":{"a":1},"x":1}`,
    outcome: 'synched',
  },
  {
    name: 'number.json',
    content: `{"a":${'9'.repeat(MEGABYTE)},"b":1e999999,"c":"${'\\ud800'.repeat(100_000)}"}`,
    outcome: 'synched',
  },
  {
    name: 'paths.json',
    content: `${`{"${'k'.repeat(10_000)}":`.repeat(150)}[${'1,'.repeat(50_000)}1]${'}'.repeat(150)}`,
    outcome: 'error TOO_COMPLEX',
  },
  { name: 'values.json', content: '[]'.repeat(MEGABYTE), outcome: 'error EMPTY_DOCUMENT' },
  { name: 'nested.eml', content: nested(10_000), outcome: 'synched' },
  {
    name: 'parts.eml',
    content: `From: a\nContent-Type: multipart/mixed; boundary=b\n\n${'--b\nContent-Type: text/plain\n\nx\n'.repeat(100_000)}`,
    outcome: 'error TOO_COMPLEX',
  },
  {
    name: 'parameters.eml',
    content: `From: a\nContent-Type: text/plain; ${times(100_000, (n) => `a*${n}=x; `)}\n\n${TEXT}`,
    outcome: 'synched',
  },
  {
    name: 'addresses.eml',
    content: `From: a\nTo: ${'a:'.repeat(100_000)}${'<('.repeat(100_000)}${'"'.repeat(100_001)}\n\n${TEXT}`,
    outcome: 'synched',
  },
  {
    name: 'words.eml',
    content: `From: a\nSubject: ${'=?utf-8?b?eA==?= =?x?q?=?='.repeat(50_000)}\n\n${TEXT}`,
    outcome: 'synched',
  },
  { name: 'combining.txt', content: '\u0301'.repeat(200_000), outcome: 'synched' },
  { name: 'directions.txt', content: `${'\u202e\u2066'.repeat(200_000)}${TEXT}`, outcome: 'synched' },
  {
    name: 'invisible.txt',
    content: '\u200b\u2060\ufeff'.repeat(100_000),
    outcome: 'synched',
  },
  {
    name: 'controls.txt',
    content: `${'\u0001\u0007\u001b[2J'.repeat(100_000)}${TEXT}`,
    outcome: 'refused 415',
  },
  { name: 'word.txt', content: 'a'.repeat(MEGABYTE), outcome: 'synched' },
  { name: 'tokens.txt', content: '\ufdfa'.repeat(200_000), outcome: 'synched' },
  {
    name: 'ideographs.txt',
    content: times(200_000, (n) => String.fromCodePoint(0x4e00 + (n % 20_000))),
    outcome: 'synched',
  },
  { name: 'short-lines.txt', content: 'a\n\n'.repeat(100_000), outcome: 'synched' },
];
