import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newScratchPath, removeAbandonedScratch } from './scratch-folder.js';

describe('removeAbandonedScratch', () => {
  let parent: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'citewell-test-'));
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));

  /** Creates a folder of each kind. `earlier` has the id of this process but belongs to an earlier one. */
  async function folders() {
    const own = newScratchPath('parser', parent);
    const ofPid = (pid: number): string => own.replace(`-${process.pid}-`, `-${pid}-`);
    const { pid: deadPid } = spawnSync(process.execPath, ['--version']);
    const dead = ofPid(deadPid);
    const all = {
      own,
      earlier: newScratchPath('parser', parent),
      living: ofPid(process.ppid),
      dead,
      elsewhere: dead.replace(/parser-\w+-/, 'parser-elsewhere-'),
      otherPurpose: dead.replace('parser', 'browser'),
    };
    for (const path of Object.values(all)) {
      await mkdir(join(path, '1'), { recursive: true });
      await writeFile(join(path, '1', 'input'), 'private');
    }
    return all;
  }

  const names = (...paths: string[]): string[] => paths.map((path) => basename(path)).sort();

  it('removes folders of dead processes and nothing else', async () => {
    const { own, living, elsewhere, otherPurpose } = await folders();
    expect(await removeAbandonedScratch('parser', { own, parent })).toBe(2);
    expect((await readdir(parent)).sort()).toEqual(names(own, living, elsewhere, otherPurpose));
  });

  it('keeps all folders with the id of this process when no own folder is given', async () => {
    const { own, earlier, living, elsewhere, otherPurpose } = await folders();
    expect(await removeAbandonedScratch('parser', { parent })).toBe(1);
    expect((await readdir(parent)).sort()).toEqual(names(own, earlier, living, elsewhere, otherPurpose));
  });
});
