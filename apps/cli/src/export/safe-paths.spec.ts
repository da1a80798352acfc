import { describe, expect, it } from '@jest/globals';
import { isSafePath, safeName, SafePaths } from './safe-paths.js';

describe('safeName', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['Ka\u0308se 🧀.md', 'Käse 🧀.md'],
    ['..', '_'],
    ['.', '_'],
    ['', '_'],
    ['a/b', 'a_b'],
    ['https://example.com/x?y', 'https___example.com_x_y'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['console.txt', 'console.txt'],
    ['name. . ', 'name'],
    ['name.\u00A0', 'name'],
    ['C:\\Windows\\x', 'C__Windows_x'],
    ['bell\u0007\u009B', 'bell__'],
    ['\uD800', '\uFFFD'],
  ])('of %j is %j', (name, expected) => {
    expect(safeName(name)).toBe(expected);
  });

  it('shortens by bytes, and keeps the extension', () => {
    const name = safeName(`${'界'.repeat(255)}.pdf`);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
    expect(name).toMatch(/^界+\.pdf$/);
  });
});

it.each(['pdf', 'document', 'no extension'])('are safe, and end, for long names with a %s', (extension) => {
  const paths = new SafePaths();
  const base = `${'a'.repeat(195)} . . . . . .${'b'.repeat(9)}`;
  const given = Array.from({ length: 12 }, () => paths.give(`originals/${base}.${extension}`));
  expect(new Set(given).size).toBe(12);
  expect(given.filter((path) => !isSafePath(path))).toEqual([]);
});

it.each([
  ['originals/a b/ü.pdf', true],
  ['originals/../../x', false],
  ['/etc/passwd', false],
  ['', false],
])('isSafePath of %j is %j', (path, expected) => {
  expect(isSafePath(path)).toBe(expected);
});

describe('SafePaths', () => {
  it('gives each document a path of its own, in the same folders', () => {
    const paths = new SafePaths();
    paths.take('docs/kept.txt');
    const names = [
      'docs/a.txt',
      'docs/A.TXT',
      'docs/a.txt',
      'docs/kept.txt',
      '../../etc/passwd',
      '/x',
      'docs',
      'x/y',
    ];
    expect(names.map((name) => paths.give(name))).toEqual([
      'docs/a.txt',
      'docs/A (2).TXT',
      'docs/a (3).txt',
      'docs/kept (2).txt',
      '_/_/etc/passwd',
      'x',
      'docs (2)',
      // `x` is a file.
      'y (2)',
    ]);
  });
});
