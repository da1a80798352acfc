import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sourceProblem } from './source-problem.js';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'rclone-'));
});
afterAll(() => rm(root, { recursive: true }));

it.each([
  ['1.75.0', /^$/],
  ['2.0.1', /^$/],
  [
    '1.60.1-DEV',
    /^The server has rclone 1\.60\.1-DEV\. Storages need rclone 1\.75 or later\. Install .*rclone\.org.*RCLONE_PATH/,
  ],
  ['none', /^The server could not start rclone \(.*none\/rclone: not found\), .*rclone\.org/],
])('rclone %s', async (version, expected) => {
  const rclonePath = join(root, version === 'none' ? 'none/rclone' : `rclone-${version}`);
  if (version !== 'none')
    await writeFile(rclonePath, `#!/bin/sh\n[ "$*" = version ] && echo "rclone v${version}"\n`, {
      mode: 0o755,
    });
  expect((await sourceProblem('storage', { folders: [], rclonePath })) ?? '').toMatch(expected);
});

it('names the setting that is missing, and nothing for kinds without one', async () => {
  expect(await sourceProblem('folder', { folders: [] })).toMatch(/FOLDERS/);
  expect(await sourceProblem('program', { folders: [] })).toMatch(/SOURCE_PROGRAMS/);
  expect(await sourceProblem('folder', { folders: ['/srv'] })).toBeNull();
  expect(await sourceProblem('program', { folders: [], programs: { a: ['a'] } })).toBeNull();
  for (const kind of ['feed', 'mailbox', 'repository', 'confluence', 'notion'] as const)
    expect(await sourceProblem(kind, { folders: [] })).toBeNull();
});
