import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FolderWatch } from './folder-watch.js';

describe('FolderWatch', () => {
  let root: string;
  let watch: FolderWatch;
  let events: number;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'watch-'));
    events = 0;
    watch = new FolderWatch(root, () => {
      events += 1;
    });
    await mkdir(join(root, 'a/b'), { recursive: true });
    await mkdir(join(root, '.git'));
    await writeFile(join(root, 'a/b/old.txt'), 'old');
    await watch.refresh();
  });
  afterEach(async () => {
    watch.close();
    await rm(root, { recursive: true, force: true });
  });

  const write = (path: string): Promise<void> => writeFile(join(root, path), `${path} ${Math.random()}`);

  /** Waits for an event of a change, and then for silence. */
  async function notices(change: () => Promise<unknown>): Promise<void> {
    await change();
    while (events === 0) await sleep(5);
    for (let before = -1; before !== events; await sleep(50)) before = events;
    events = 0;
  }

  it.each([
    ['a new file', () => write('a/new.txt')],
    ['a changed file', () => write('a/b/old.txt')],
    ['a moved file', () => rename(join(root, 'a/b/old.txt'), join(root, 'old.txt'))],
    ['a deleted file', () => rm(join(root, 'a/b/old.txt'))],
    ['a new folder', () => mkdir(join(root, 'c'))],
  ])('notices %s', async (_, change) => {
    await notices(change);
  });

  it('notices files of folders that are new, moved, or made again', async () => {
    await notices(() => mkdir(join(root, 'c/d'), { recursive: true }));
    await watch.refresh();
    await notices(() => write('c/d/1.txt'));
    await notices(() => rename(join(root, 'c'), join(root, 'e')));
    await watch.refresh();
    await notices(() => write('e/d/2.txt'));
    await notices(() => rm(join(root, 'e'), { recursive: true }));
    await mkdir(join(root, 'e/d'), { recursive: true });
    await watch.refresh();
    await notices(() => write('e/d/3.txt'));
  });

  it('does not notice hidden folders, and nothing after it is closed', async () => {
    await write('.git/index');
    await sleep(100);
    watch.close();
    await write('a/new.txt');
    await sleep(100);
    expect(events).toBe(0);
  });

  it('fails while the folder is away, and goes on when it is there again', async () => {
    await notices(() => rename(root, `${root}-away`));
    await expect(watch.refresh()).rejects.toMatchObject({ code: 'ENOENT' });
    await rename(`${root}-away`, root);
    await watch.refresh();
    await notices(() => write('a/new.txt'));
  });
});
