import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { restrictToHosts } from '@citewell/web/remote-fetch';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { installLanguage } from './install-language.js';

const HEBREW =
  'sha512-t70MeqlBqOsf+pINWgG32gaVsXG2LUiOFMMzeJLl+bDEjRK9nXUqF/xzl37xP2IdwZcOsd6BnQRbZDN/8AAWlA==';
const data = (integrity: string) => ({
  scope: '@tesseract.js-data',
  version: '1.0.0',
  folder: '4.0.0_best_int',
  packages: { heb: integrity },
});

describe('installLanguage', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'languages-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it('refuses a package with another hash, and leaves nothing', async () => {
    const wrong = data(`sha512-${'A'.repeat(86)}==`);
    await expect(installLanguage(directory, wrong)).rejects.toMatchObject({
      kind: 'permanent',
      message: expect.stringContaining(`copy heb.traineddata.gz into the directory ${directory}`),
    });
    expect(await readdir(directory)).toEqual([]);
  });

  it('installs the data alone', async () => {
    await installLanguage(directory, data(HEBREW));
    expect(await readdir(directory)).toEqual(['heb.traineddata.gz']);
  });

  it('does not ask npm on a server that works offline', async () => {
    restrictToHosts([]);
    await expect(installLanguage(directory, data(HEBREW))).rejects.toThrow(
      /works offline\. Copy heb\.traineddata\.gz into/,
    );
  });
});
