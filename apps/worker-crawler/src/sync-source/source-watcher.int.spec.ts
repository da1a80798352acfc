import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SourceWatcher } from './source-watcher.js';

describe('SourceWatcher', () => {
  let parent: string;
  let folder: string;
  let watcher: SourceWatcher;
  /** How often the source was made due. */
  let due: number;
  /** How many more times it is busy. */
  let busy: number;
  let warnings: string[];
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'watched-'));
    folder = join(parent, 'papers');
    await mkdir(folder);
    due = 0;
    busy = 0;
    warnings = [];
    watcher = new SourceWatcher(
      {
        scheduledFolders: async () => [{ id: 's', config: { kind: 'folder', folder } }],
        makeDue: async () => {
          if (busy > 0) busy -= 1;
          else due += 1;
          return due > 0;
        },
      },
      { FOLDERS: [parent] },
      { warn: (_: object, message?: string) => void warnings.push(message ?? '') },
    );
    watcher.start();
  });
  afterEach(async () => {
    await watcher.stop();
    await rm(parent, { recursive: true });
  });

  /** Writes until the source is made due. */
  async function untilDue(): Promise<void> {
    due = 0;
    while (due === 0) {
      await writeFile(join(folder, 'a.txt'), String(Math.random()));
      for (let wait = 0; wait < 40 && due === 0; wait += 1) await sleep(100);
    }
  }

  it('makes a source due after a change, also when a sync is under way, and after its folder was away', async () => {
    await untilDue();
    busy = 2;
    await untilDue();
    expect(busy).toBe(0);
    await rename(folder, `${folder}-away`);
    while (warnings.length === 0) await sleep(100);
    await rename(`${folder}-away`, folder);
    await untilDue();
    expect(warnings).toEqual(['a source is not watched']);
  });
});
