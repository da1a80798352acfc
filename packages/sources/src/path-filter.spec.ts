import { describe, expect, it } from '@jest/globals';
import { PathFilter } from './path-filter.js';

describe('PathFilter', () => {
  it.each([
    [{}, 'a.txt', true],
    [{ include: ['*.pdf'] }, 'reports/2026/Q1.PDF', true],
    [{ include: ['*.pdf'] }, 'reports/Q1.docx', false],
    [{ include: ['/reports/**'] }, 'reports/a.txt', true],
    [{ include: ['/reports/**'] }, 'old/reports/a.txt', false],
    [{ include: ['reports/**'] }, 'old/reports/a.txt', true],
    [{ exclude: ['drafts/**'] }, 'a/drafts/b/c.txt', false],
    [{ include: ['*.md'], exclude: ['README.md'] }, 'docs/readme.md', false],
    [{ include: ['Übersicht*'] }, 'u\u{308}bersicht 1.txt', true],
    [{ include: [`${'*a'.repeat(10)}b`] }, 'a'.repeat(4_000), false],
  ] as const)('%j, %s', (patterns, path, isWanted) => {
    const { include, exclude } = { include: undefined, exclude: undefined, ...patterns };
    const filter = new PathFilter({ include: include && [...include], exclude: exclude && [...exclude] });
    expect(filter.isWanted(path)).toBe(isWanted);
  });

  it.each([
    ['reports', true],
    ['drafts', false],
    ['drafts/old', false],
  ])('documents in the folder %s may be wanted: %s', (folder, mayContain) => {
    const filter = new PathFilter({ include: ['*.pdf'], exclude: ['drafts/**'] });
    expect([filter.isWanted(folder), filter.mayContain(folder)]).toEqual([false, mayContain]);
  });
});
