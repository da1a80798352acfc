import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findChromium } from './find-chromium.js';

describe('findChromium', () => {
  let folder: string;
  let path: string;
  const createFile = async (name: string, mode: number): Promise<string> => {
    const file = join(folder, name);
    await writeFile(file, '');
    await chmod(file, mode);
    return file;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'citewell-path-'));
    await mkdir(join(folder, 'a'));
    await mkdir(join(folder, 'b'));
    path = [join(folder, 'a'), 'relative', join(folder, 'b')].join(delimiter);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('returns null when there is no browser', async () => {
    expect(await findChromium(undefined, path)).toBeNull();
    expect(await findChromium(undefined, '')).toBeNull();
  });

  it('prefers chromium to google-chrome, whatever their order on the PATH', async () => {
    await createFile('a/google-chrome', 0o755);
    const chromium = await createFile('b/chromium', 0o755);
    expect(await findChromium(undefined, path)).toBe(chromium);
  });

  it('uses the given path and does not search for another browser', async () => {
    const given = await createFile('my-browser', 0o755);
    expect(await findChromium(given, path)).toBe(given);
    expect(await findChromium(join(folder, 'nowhere'), path)).toBeNull();
    expect(await findChromium(await createFile('text', 0o644), path)).toBeNull();
  });
});
