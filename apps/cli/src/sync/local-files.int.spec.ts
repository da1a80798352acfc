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
    const { skipped, isThere } = await list(
      new LocalFolder(root, 'Docs', { include: ['*.md', 'place', 'moved'] }),
    );
    expect(skipped.filter(({ reason }) => reason === 'link')).toHaveLength(1);
    expect(
      ['place', 'place/a.md', 'place/b/c.md', 'place2/a.md'].map((path) => isThere(`sync:Docs/${path}`)),
    ).toEqual([isKept, isKept, isKept, false]);
  });

  it.each([
    ['all is listed', {}, ['gone.md', 'sha256:0']],
    ['its target is excluded', { exclude: ['/archive/**'] }, []],
    ['what is in its target is excluded', { exclude: ['/archive/docs/*'] }, []],
    ['only its place is included', { include: ['/docs/**'] }, []],
    ['a document of its target is excluded', { exclude: ['/archive/docs/a.md'] }, ['gone.md']],
    ['a folder of its target is excluded', { exclude: ['/archive/docs/sub/**'] }, ['gone.md']],
    ['its place is excluded', { exclude: ['/docs*'] }, ['empty.md', 'gone.md', 'sha256:0']],
    ['its target is included', { include: ['/docs/**', '/archive/**'] }, ['gone.md']],
  ])(
    'keeps what was in the place of a link, unless it is listed elsewhere: %s',
    async (_, patterns, removed) => {
      await write('archive/docs/a.md', 'one');
      await write('archive/docs/empty.md', '');
      await write('archive/docs/sub/b.md', 'two');
      await symlink('archive/docs', join(root, 'docs'));
      await symlink('docs', join(root, 'docs2'));
      const { files, isThere } = await list(new LocalFolder(root, 'Docs', patterns));
      const listed = new Set(files.map(({ path }) => path));
      for (const link of ['docs', 'docs2']) {
        const gone = ['a.md', 'empty.md', 'sub/b.md', 'gone.md'].filter(
          (path) => !isThere(`sync:Docs/${link}/${path}`) && !listed.has(`archive/docs/${path}`),
        );
        if (!isThere('sync:Docs/sha256:0')) gone.push('sha256:0');
        expect(gone).toEqual(removed);
      }
      expect(isThere('sync:Docs/docs/a.md')).toBe(!listed.has('archive/docs/a.md'));
    },
  );

  it('keeps what was in the place of a link to a folder that cannot be read', async () => {
    const long = Array.from({ length: 10 }, () => 'x'.repeat(240)).join('/');
    await mkdir(join(root, 'upper', long), { recursive: true });
    await write(`lower/${long}/a.md`, 'one');
    await rename(join(root, 'lower'), join(root, 'upper', long, 'lower'));
    await symlink('upper', join(root, 'docs'));
    const { isThere } = await list(new LocalFolder(root, 'Docs', {}));
    await rename(join(root, 'upper', long, 'lower'), join(root, 'lower'));
    const deep = `${long}/lower/${long}`;
    expect(['a.md', `${deep}/a.md`].map((path) => isThere(`sync:Docs/docs/${path}`))).toEqual([false, true]);
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
