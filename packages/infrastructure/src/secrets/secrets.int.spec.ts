import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@citewell/config';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SecretError, Secrets } from './secrets.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'citewell-secrets-'));
});
afterEach(() => rm(directory, { recursive: true }));

const secrets = (env: Record<string, string> = {}): Secrets =>
  new Secrets(loadConfig({ CITEWELL_DATA_DIR: directory, ...env }));

describe('Secrets', () => {
  it('creates one private file, even if several processes begin at once', async () => {
    const all = await Promise.all([1, 2, 3, 4].map(() => secrets().seal('sk-123', 'chat')));
    for (const sealed of all) expect(await secrets().open(sealed, 'chat')).toBe('sk-123');
    expect(await readdir(directory)).toEqual(['secret']);
    expect((await stat(join(directory, 'secret'))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(directory, 'secret'), 'utf8')).toMatch(/^[\da-f]{64}\n$/);
  });

  it('prefers the variable, which needs no file', async () => {
    const env = { CITEWELL_SECRET: 'a-secret-of-the-operator', DATABASE_URL: 'postgres://db/x' };
    const sealed = await secrets(env).seal('sk-123', 'chat');
    expect(await secrets(env).open(sealed, 'chat')).toBe('sk-123');
    expect(await readdir(directory)).toEqual([]);
    await expect(secrets({ CITEWELL_SECRET: 'another-secret-of-it' }).open(sealed, 'chat')).rejects.toThrow(
      SecretError,
    );
  });

  it('stores nothing that other processes could not read', async () => {
    await expect(secrets({ DATABASE_URL: 'postgres://db/x' }).seal('sk-123', 'chat')).rejects.toThrow(
      /CITEWELL_SECRET/,
    );
    expect(await readdir(directory)).toEqual([]);
  });

  it('says so if the file is lost or damaged, and replaces no file', async () => {
    const sealed = await secrets().seal('sk-123', 'chat');
    await writeFile(join(directory, 'secret'), 'damaged');
    await expect(secrets().open(sealed, 'chat')).rejects.toThrow(/Enter the key again/);
    await expect(secrets().seal('sk-123', 'chat')).rejects.toThrow(/damaged/);
    await rm(join(directory, 'secret'));
    await expect(secrets().open(sealed, 'chat')).rejects.toThrow(/Enter the key again/);
  });
});
