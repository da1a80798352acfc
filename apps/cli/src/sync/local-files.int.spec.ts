import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LocalFolder } from './local-files.js';

describe('LocalFolder', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'citewell-local-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  const list = (folder: LocalFolder) => folder.list(() => undefined, new AbortController().signal);
  const write = async (path: string, text: string) => {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), text);
  };

  it('names files by their composed paths, and never follows a link', async () => {
    await write('sub/Ka\u0308se 🧀.md', 'cheese');
    await symlink(root, join(root, 'sub', 'circle'));
    const { files, skipped } = await list(new LocalFolder(root, 'Docs', {}));
    expect(files).toMatchObject([{ path: 'sub/Käse 🧀.md', name: 'Docs/sub/Käse 🧀.md' }]);
    expect(files[0]?.customId).toBe('sync:Docs/sub/Käse 🧀.md');
    expect(skipped.map(({ reason }) => reason)).toEqual(['link']);
  });

  it('takes the first of two names that differ only in how letters are composed', async () => {
    await write('caf\u00E9.md', 'one');
    await write('cafe\u0301.md', 'two');
    const { files, failed } = await list(new LocalFolder(root, 'Docs', {}));
    expect([files.map(({ absolute }) => absolute), failed.map(({ path }) => path)]).toEqual([
      [join(root, 'cafe\u0301.md')],
      ['caf\u00E9.md'],
    ]);
  });

  it('knows what is there without content: an empty file, one in iCloud, one of Office that is open', async () => {
    await write('empty.md', '');
    await write('.far.pdf.icloud', 'bplist');
    await write('~$open.docx', 'lock');
    const folder = new LocalFolder(root, 'Docs', { include: ['*.pdf', '*.md'] });
    const { files, isThere } = await list(folder);
    expect(files).toEqual([]);
    const there = ['empty.md', 'far.pdf', 'open.docx', 'gone.md'].filter((path) =>
      isThere(`sync:Docs/${path}`),
    );
    expect(there).toEqual(['empty.md', 'far.pdf']);
  });

  it('leaves out by patterns, and gives long paths an id that fits', async () => {
    const deep = Array.from({ length: 12 }, () => 'ein langer Name eines Ordners').join('/');
    await write(`${deep}/letter.md`, 'far away');
    await write('drafts/a.md', 'no');
    await write('b.txt', 'no');
    const folder = new LocalFolder(root, 'Docs', { include: ['*.md'], exclude: ['drafts/**'] });
    const { files } = await list(folder);
    expect(files.map(({ customId }) => customId)).toEqual([
      expect.stringMatching(/^sync:Docs\/sha256:\w{64}$/),
    ]);
    expect(files[0]?.name).toMatch(/^…(?=.{254}$).*\/letter\.md$/);
    expect([files[0], { customId: 'sync:Docs/b.txt' }].map((one) => one && folder.isLeftOut(one))).toEqual([
      false,
      true,
    ]);
  });

  it('knows of folders that cannot be read, whatever is included, unless they are excluded', async () => {
    const long = Array.from({ length: 10 }, () => 'x'.repeat(240)).join('/');
    await mkdir(join(root, 'upper', long), { recursive: true });
    await write(`lower/${long}/a.md`, 'one');
    // Now its path is longer than the system allows.
    await rename(join(root, 'lower'), join(root, 'upper', long, 'lower'));
    const states = [];
    for (const exclude of [[], ['upper/**']]) {
      const { files, skipped, isThere } = await list(
        new LocalFolder(root, 'Docs', { include: ['*.md'], exclude }),
      );
      states.push([files.length, skipped.map(({ reason }) => reason), isThere('sync:Docs/sha256:0')]);
    }
    await rename(join(root, 'upper', long, 'lower'), join(root, 'lower'));
    expect(states).toEqual([
      [0, ['no-access'], true],
      [0, [], false],
    ]);
  });

  it.each([
    ['a folder outside', '..', true],
    ['nothing', 'nowhere', true],
    ['itself', 'place', true],
    ['a hidden folder, which is not listed', '.store', true],
    ['a folder that is listed', 'moved', false],
    ['a file that is listed', 'moved/a.md', false],
  ])('keeps what was in the place of a link to %s: %j is %p', async (_, target, isKept) => {
    await write('moved/a.md', 'one');
    await write('.store/a.md', 'one');
    await symlink(target, join(root, 'place'));
    const { skipped, isThere } = await list(new LocalFolder(root, 'Docs', { include: ['*.md', 'place'] }));
    expect(skipped.filter(({ reason }) => reason === 'link')).toHaveLength(1);
    expect(
      ['place', 'place/a.md', 'place/b/c.md', 'place2/a.md'].map((path) => isThere(`sync:Docs/${path}`)),
    ).toEqual([isKept, isKept, isKept, false]);
  });

  it('keeps nothing below a file that was a folder', async () => {
    await write('place', 'one');
    const { isThere } = await list(new LocalFolder(root, 'Docs', {}));
    expect(isThere('sync:Docs/place/a.md')).toBe(false);
  });

  it('takes a file for there that vanishes while the others are read', async () => {
    for (const name of ['1', '2', '3', '4', '5', '6']) await write(`${name}.md`, name);
    const { files, failed, isThere } = await new LocalFolder(root, 'Docs', {}).list(
      () => rmSync(join(root, '6.md'), { force: true }),
      new AbortController().signal,
    );
    expect([files.length, failed, isThere('sync:Docs/6.md')]).toEqual([5, [], true]);
  });

  it('reads a file again only after a change', async () => {
    await write('a.md', 'one');
    const folder = new LocalFolder(root, 'Docs', {});
    const [before] = (await list(folder)).files;
    await write('a.md', 'two');
    const [after] = (await list(folder)).files;
    await rename(join(root, 'a.md'), join(root, 'b.md'));
    const [moved] = (await list(folder)).files;
    expect(before?.sha256).not.toBe(after?.sha256);
    expect(moved?.sha256).toBe(after?.sha256);
  });
});
