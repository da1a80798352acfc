import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findChromium } from './find-chromium.js';

describe('findChromium', () => {
  let folder: string;
  let path: string;
  const place = async (name: string, mode: number): Promise<string> => {
    const file = join(folder, name);
    await writeFile(file, '');
    await chmod(file, mode);
    return file;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'citewell-path-'));
    await mkdir(join(folder, 'a'));
    await mkdir(join(folder, 'b'));
    path = [join(folder, 'a'), 'relative', join(folder, 'b')].join(delimiter);
  });
  after(() => rm(folder, { recursive: true }));

  it('finds none where there is none', async () => {
    assert.equal(await findChromium(undefined, path), null);
    assert.equal(await findChromium(undefined, ''), null);
  });

  it('takes the best known name, wherever on the PATH it is', async () => {
    await place('a/google-chrome', 0o755);
    const chromium = await place('b/chromium', 0o755);
    assert.equal(await findChromium(undefined, path), chromium);
  });

  it('takes what is given, or nothing', async () => {
    const given = await place('my-browser', 0o755);
    assert.equal(await findChromium(given, path), given);
    assert.equal(await findChromium(join(folder, 'nowhere'), path), null);
    assert.equal(await findChromium(await place('text', 0o644), path), null);
  });
});
