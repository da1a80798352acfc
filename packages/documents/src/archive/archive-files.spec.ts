import { describe, expect, it } from '@jest/globals';
import { type ArchiveLimits, selectArchiveFiles } from './archive-files.js';
import type { ZipEntry } from './zip-directory.js';

const LIMITS: ArchiveLimits = {
  maxFiles: 3,
  maxFileBytes: 3_000_000,
  maxTotalBytes: 6_000_000,
  maxPathLength: 255,
};

function zipEntry(fields: Partial<ZipEntry> = {}): ZipEntry {
  const sizes = { storedBytes: 50, inflatedBytes: 100, offset: 0 };
  return { name: 'a.txt', method: 8, isEncrypted: false, checksum: 0, ...sizes, ...fields };
}

function select(entries: readonly Partial<ZipEntry>[], archiveBytes = 1_000_000) {
  const { files, skipped } = selectArchiveFiles(entries.map(zipEntry), archiveBytes, LIMITS);
  return [files.map(({ path }) => path), skipped];
}

describe('the files of an archive', () => {
  it('have paths without what could harm a reader', () => {
    for (const [name, path] of [
      ['docs/guide.md', 'docs/guide.md'],
      ['./docs//guide.md', 'docs/guide.md'],
      ['/etc/passwd', 'etc/passwd'],
      ['two\nlines\0.txt', 'two\ufffdlines\ufffd.txt'],
      ['lone \ud800.txt', 'lone \ufffd.txt'],
      ['a..b/c...txt', 'a..b/c...txt'],
    ] as const)
      expect(select([{ name }])).toEqual([[path], []]);
  });

  it('are not folders and not hidden', () => {
    const names = ['docs/', '/', '.', '__MACOSX/._a.txt', 'a/__MACOSX/b.txt', '.DS_Store', 'a/.git/config'];
    expect(select([...names, 'pictures/Thumbs.db', 'desktop.ini'].map((name) => ({ name })))).toEqual([
      [],
      [],
    ]);
  });

  it('are skipped with a reason when they have no content or no path to be known by', () => {
    for (const [fields, reason] of [
      [{ name: '../up.txt' }, 'its path contains ".."'],
      [{ name: 'a/../../up.txt' }, 'its path contains ".."'],
      [{ name: `${'x'.repeat(256)}` }, 'its path is longer than 255 characters'],
      [{ inflatedBytes: 0 }, 'it is empty'],
    ] as const)
      expect(select([fields])).toEqual([[], [{ path: zipEntry(fields).name, reason }]]);
  });

  it('do not count for the limits of sizes when they cannot be unpacked', () => {
    const large = { name: 'b.txt', inflatedBytes: 90_000_000, storedBytes: 1_000 };
    for (const fields of [{ method: 14 }, { isEncrypted: true }])
      expect(select([{}, { ...large, ...fields }])).toEqual([['a.txt', 'b.txt'], []]);
    expect(() => select([{}, large])).toThrow(expect.objectContaining({ code: 'TOO_COMPLEX' }));
  });

  it('have different paths: the last one counts', () => {
    const { files } = selectArchiveFiles(
      [zipEntry({ offset: 1 }), zipEntry({ name: './a.txt', offset: 2 })],
      1_000,
      LIMITS,
    );
    expect(files.map(({ path, entry }) => [path, entry.offset])).toEqual([['a.txt', 2]]);
  });

  it('are within the limits, up to each of them', () => {
    const many = (count: number, fields: Partial<ZipEntry> = {}) =>
      Array.from({ length: count }, (_, n) => ({ name: `${n}.txt`, ...fields }));
    const large = { storedBytes: 100_000, inflatedBytes: 2_000_000 };
    for (const [entries, archiveBytes, message] of [
      [many(3), 150, null],
      [many(4), 1_000, /more than 3 files/],
      [many(4, { isEncrypted: true }), 1_000, /more than 3 files/],
      [many(3), 149, /overlap/],
      [many(3, large), 1_000_000, null],
      [
        [...many(2, large), { ...large, inflatedBytes: 2_000_001 }],
        1_000_000,
        /Unpacked, .*larger than 5\.7 MB/,
      ],
      [[{ ...large, inflatedBytes: 3_000_000 }], 1_000_000, null],
      [[{ ...large, inflatedBytes: 3_000_001 }], 1_000_000, /A file of the archive is larger than 2\.9 MB/],
      [[{ storedBytes: 9_999, inflatedBytes: 2_000_000 }], 1_000_000, /more than 200 times/],
      [[{ storedBytes: 9, inflatedBytes: 1_000_000 }], 1_000_000, null],
    ] as const) {
      const selection = () => select(entries, archiveBytes);
      if (message === null) expect(selection).not.toThrow();
      else
        expect(selection).toThrow(
          expect.objectContaining({ code: 'TOO_COMPLEX', userMessage: expect.stringMatching(message) }),
        );
    }
  });
});
