import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { it } from 'node:test';
import { newScratchDirectory, removeAbandonedScratch } from './scratch-directory.js';

it('removes what dead processes left behind, and nothing else', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'citewell-test-'));
  try {
    const own = newScratchDirectory(parent);
    const ofPid = (pid: number): string => own.replace(`-${process.pid}-`, `-${pid}-`);
    const { pid: deadPid } = spawnSync(process.execPath, ['--version']);
    const living = ofPid(process.ppid);
    const foreign = join(parent, 'citewell-parser-elsewhere.example-1-0123456789ab');
    for (const path of [own, living, foreign, ofPid(deadPid), newScratchDirectory(parent)]) {
      await mkdir(join(path, '1'), { recursive: true });
      await writeFile(join(path, '1', 'input'), 'private');
    }
    assert.equal(await removeAbandonedScratch(own, parent), 2);
    assert.deepEqual(
      (await readdir(parent)).sort(),
      [own, living, foreign].map((path) => basename(path)).sort(),
    );
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
});
