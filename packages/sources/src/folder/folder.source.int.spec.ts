import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { InventoryPage } from '../source.js';
import type { FolderSourceConfig } from '@citewell/contracts/schemas';
import { sourceConformance, type SourceWorld } from '../source.conformance.js';
import { FolderSource } from './folder.source.js';

async function makeFolder(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), 'folder-source-')));
}

async function makeWorld(): Promise<SourceWorld> {
  const root = await makeFolder();
  const folder = join(root, 'documents');
  await mkdir(folder);
  const at = (path: string): string => join(folder, path);
  const write = async (path: string, content: string): Promise<void> => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), content);
  };
  return {
    open: () => FolderSource.open({ kind: 'folder', folder }, [root]),
    write,
    remove: (path) => rm(at(path)),
    rename: async (from, to) => {
      await mkdir(dirname(at(to)), { recursive: true });
      await rename(at(from), at(to));
    },
    // As a mount that is lost, whose folder is not there.
    setReachable: (isReachable) =>
      isReachable ? rename(join(root, 'away'), folder) : rename(folder, join(root, 'away')),
    stop: () => rm(root, { recursive: true }),
  };
}

sourceConformance('folder', makeWorld);

describe('a folder', () => {
  let root: string;
  beforeEach(async () => {
    root = await makeFolder();
  });
  afterEach(() => rm(root, { recursive: true, force: true }));
  const never = new AbortController().signal;
  const open = (config: Partial<FolderSourceConfig> = {}) =>
    FolderSource.open({ kind: 'folder', folder: root, ...config }, [root]);
  async function inventory(source = open()): Promise<Omit<InventoryPage, 'cursor'>> {
    for await (const page of (await source).inventory(null, never)) return page;
    throw new Error('no page');
  }

  it.each([
    ['/', '/srv', 'denied'],
    ['%/..', '%', 'denied'],
    ['%', '%x', 'denied'],
    ['%/link', '%/allowed', 'denied'],
    ['%/not there', '%', 'unavailable'],
    ['%/a.txt', '%', 'unavailable'],
  ])('%s below %s is %s', async (folder, allowed, kind) => {
    await mkdir(`${root}x`);
    await mkdir(join(root, 'allowed'));
    await symlink('/', join(root, 'link'));
    await writeFile(join(root, 'a.txt'), '');
    const opening = async () => {
      const source = await FolderSource.open({ kind: 'folder', folder: folder.replace('%', root) }, [
        allowed.replace('%', root),
      ]);
      await source.check();
    };
    await expect(opening()).rejects.toMatchObject({ name: 'SourceError', kind });
    await rm(`${root}x`, { recursive: true });
  });

  it('does not follow links, and reads no pipes', async () => {
    await writeFile(join(root, 'a.txt'), 'a');
    await symlink(root, join(root, 'circle'));
    await symlink('/etc/passwd', join(root, 'passwords'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const { documents, skipped } = await inventory();
    expect(documents.map(({ path }) => path)).toEqual(['a.txt']);
    expect(skipped.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
      'circle: It is a link.',
      'passwords: It is a link.',
      'pipe: It is not a file.',
    ]);
  });

  it('does not know what is behind a link, unless it is listed at another path', async () => {
    await mkdir(join(root, 'new/.git'), { recursive: true });
    await writeFile(join(root, 'new', 'a.txt'), 'a');
    const targets = {
      moved: 'new',
      file: 'new/a.txt',
      outside: '/etc',
      'outside file': '/etc/passwd',
      hidden: 'new/.git',
      dangling: 'gone',
      loop: 'loop',
    };
    for (const [name, target] of Object.entries(targets)) await symlink(target, join(root, name));
    const unknown = async (config = {}): Promise<string[]> =>
      (await inventory(open(config))).skipped.flatMap(({ path, isFolder }) => (isFolder ? path : []));
    const elsewhere = ['dangling', 'hidden', 'loop', 'outside'];
    expect(await unknown()).toEqual(elsewhere);
    const left = ['dangling', 'hidden', 'loop', 'moved', 'outside'];
    expect(await unknown({ exclude: ['/new/**'] })).toEqual(left);
    expect(await unknown({ exclude: ['new'] })).toEqual(left);
  });

  it('reads nothing outside when a folder becomes a link', async () => {
    await mkdir(join(root, 'etc'));
    await writeFile(join(root, 'etc', 'passwd'), 'mine');
    const source = await open();
    await rm(join(root, 'etc'), { recursive: true });
    await symlink('/etc', join(root, 'etc'));
    await expect(source.fetch({ path: 'etc/passwd' })).rejects.toMatchObject({ kind: 'gone' });
  });

  it('leaves hidden files out', async () => {
    await mkdir(join(root, '.git'));
    await writeFile(join(root, '.git', 'config'), '');
    await writeFile(join(root, '.DS_Store'), '');
    expect(await inventory()).toEqual({ documents: [], skipped: [], cursor: null });
  });

  it('fails a file that is changed while it is read', async () => {
    await writeFile(join(root, 'a.txt'), 'a'.repeat(1_000_000));
    const { content } = await (await open()).fetch({ path: 'a.txt' });
    await writeFile(join(root, 'a.txt'), 'b'.repeat(1_000_000));
    await expect(buffer(content)).rejects.toMatchObject({ kind: 'changed' });
  });

  it('sees a change that keeps size and time', async () => {
    const path = join(root, 'a.txt');
    await writeFile(path, 'one');
    await utimes(path, 1, 1);
    const before = (await inventory()).documents[0]?.version;
    await writeFile(path, 'two');
    await utimes(path, 1, 1);
    expect((await inventory()).documents[0]?.version).not.toBe(before);
  });
});
