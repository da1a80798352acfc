import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DamagedInstallation } from './damage/installation.js';
import { ApiResponseError } from '../client/api-response.js';
import { untilRecovered } from '../client/tenant.js';

const MEGABYTES = 200;

/** Mounts a small file system in memory. @returns false where that is not permitted */
async function mountDisk(path: string): Promise<boolean> {
  await mkdir(path, { recursive: true });
  const options = ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m,mode=700`, 'tmpfs', path];
  return process.platform === 'linux' && spawnSync('mount', options).status === 0;
}

/** Another program writes until nothing is free. */
function fillDisk(file: string): void {
  const handle = openSync(file, 'w');
  for (const bytes of [1024 * 1024, 4096]) {
    const block = Buffer.alloc(bytes, 1);
    try {
      while (writeSync(handle, block) === bytes);
    } catch {
      // The disk is full.
    }
  }
  closeSync(handle);
}

describe('a full disk', () => {
  let installation: DamagedInstallation | undefined;
  let isMounted = false;
  let directory = '';

  beforeAll(async () => {
    installation = await DamagedInstallation.create(async ({ dataDirectory }) => {
      directory = dataDirectory;
      isMounted = await mountDisk(dataDirectory);
    });
  });
  afterAll(async () => {
    await installation?.deployment.stop({ keepFiles: true });
    if (isMounted) spawnSync('umount', [directory]);
    await installation?.deployment.stop();
  });

  /** Skips with a reason where no disk can be mounted. */
  const onSmallDisk = (name: string, test: (used: DamagedInstallation) => Promise<void>): void =>
    it(name, async () => {
      if (!isMounted || installation === undefined)
        return process.stderr.write(`skipped "${name}": mount is not permitted\n`) as unknown as void;
      await test(installation);
    });

  const codeOf = async (request: Promise<unknown>): Promise<string> =>
    request.then(
      () => 'ok',
      (error: unknown) =>
        error instanceof ApiResponseError ? `${error.status} ${error.code}` : String(error),
    );

  onSmallDisk('refuses new content, deletes, and goes on when there is room', async (used) => {
    const { tenant } = used.deployment;
    const ballast = join(directory, 'ballast');
    const texts = Array.from({ length: 20 }, (_, n) => ({ name: `mast ${n}`, text: `Mast ${n} is oiled.` }));
    const ids = await tenant.texts(used.datastoreId, texts);
    await used.waitUntilSynched();
    const create = () => tenant.texts(used.datastoreId, [{ name: 'late', text: 'Decks are washed.' }]);
    // In progress when the disk becomes full.
    const accepted = await tenant.texts(used.datastoreId, texts);
    fillDisk(ballast);
    await untilRecovered(async () => (await codeOf(create())).startsWith('507'), 'the refusal');
    expect(await codeOf(create())).toBe('507 STORAGE_FULL');
    expect((await used.checks())['storage']).toMatch(
      /^is full, writes are refused: \d+ MB are free, \d+ are needed$/,
    );
    const { code, output } = await used.doctor();
    expect([output, code]).toEqual([expect.stringMatching(/✖ disk: .* MB are free.*\n {2}Free space/), 1]);
    expect((await used.ask()).status).toBe(200);

    for (const id of ids) expect(await codeOf(tenant.remove(id))).toBe('ok');
    expect((await tenant.datasources(used.datastoreId)).map(({ id }) => id)).not.toContain(ids[0]);
    expect((await fetch(`${used.deployment.origin}/health/ready`)).ok).toBe(true);

    await rm(ballast);
    await untilRecovered(async () => (await codeOf(create())) === 'ok', 'new content');
    await used.waitUntilSynched();
    const left = (await tenant.datasources(used.datastoreId)).map(({ id }) => id);
    expect(left).toEqual(expect.arrayContaining(accepted));
    expect((await used.checks())['storage']).toBe('ok');
  });

  onSmallDisk('starts on a full disk, deletes, and goes on when there is room', async (used) => {
    const { tenant } = used.deployment;
    const ballast = join(directory, 'ballast');
    await used.stop();
    fillDisk(ballast);
    await used.deployment.start();
    expect((await used.checks())['storage']).toMatch(/^is full/);
    expect((await used.ask()).status).toBe(200);
    expect(await codeOf(tenant.remove(used.longId))).toBe('ok');
    await rm(ballast);
    await untilRecovered(async () => (await used.checks())['storage'] === 'ok', 'room');
    expect((await used.doctor()).code).toBe(0);
  });
});
