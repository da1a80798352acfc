import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Config } from '@citewell/config';
import { dataDirectory } from '../engines.js';

const SEAL_ALGORITHM = 'aes-256-gcm';
const SEAL_VERSION = 'v1';

/** NIST SP 800-38D, section 8.2. */
const IV_BYTES = 12;
const TAG_BYTES = 16;

const KEY_BYTES = 32;
/** The same in all processes, which must derive the same key. */
const SALT = 'citewell-settings';
const derive = promisify<string, string, number, Buffer>(scrypt);

/** A secret that cannot be stored or read. The message tells the operator what to do. */
export class SecretError extends Error {
  override readonly name = 'SecretError';
}

/** Absolute path of the file with the key of the secrets. Backups leave it out unless asked for it. */
export function secretFile(config: Config): string {
  return join(dataDirectory(config), 'secret');
}

/**
 * Encrypts what the database must not show, such as keys of model servers. The key is derived from `CITEWELL_SECRET`. If
 * that is unset, it is a file of the data directory, which the first secret creates.
 */
export class Secrets {
  private derived: Promise<Buffer> | undefined;

  constructor(private readonly config: Config) {}

  /**
   * @param purpose what the secret is for. {@link open} requires the same one
   * @throws {@link SecretError} if several processes may share the database, but not the file
   */
  async seal(secret: string, purpose: string): Promise<string> {
    const { CITEWELL_SECRET, DATABASE_URL } = this.config;
    if (CITEWELL_SECRET === undefined && DATABASE_URL !== undefined)
      throw new SecretError(
        'A key can be stored when the variable CITEWELL_SECRET is set, to the same value for all processes of the service.',
      );
    return seal(secret, (await this.key()) ?? (await this.createKey()), purpose);
  }

  /** @throws {@link SecretError} if the secret cannot be read with the key of this process */
  async open(sealed: string, purpose: string): Promise<string> {
    const key = await this.key();
    const secret = key && unseal(sealed, key, purpose);
    if (secret === null)
      throw new SecretError(
        'The stored key cannot be decrypted: CITEWELL_SECRET or the file `secret` of the data directory is missing or has changed. Enter the key again.',
      );
    return secret;
  }

  /** @returns null if there is none yet */
  private async key(): Promise<Buffer | null> {
    const { CITEWELL_SECRET } = this.config;
    if (CITEWELL_SECRET !== undefined) return (this.derived ??= derive(CITEWELL_SECRET, SALT, KEY_BYTES));
    const text = await readFile(secretFile(this.config), 'utf8').catch(() => '');
    const key = Buffer.from(text.trim(), 'hex');
    return key.length === KEY_BYTES ? key : null;
  }

  private async createKey(): Promise<Buffer> {
    const file = secretFile(this.config);
    const fresh = `${file}.${randomBytes(6).toString('hex')}`;
    await mkdir(dataDirectory(this.config), { recursive: true });
    await writeFile(fresh, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flush: true });
    try {
      // One of two concurrent processes wins: a link, unlike a rename, replaces nothing.
      await link(fresh, file);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    } finally {
      await rm(fresh, { force: true });
    }
    const key = await this.key();
    if (key === null) throw new SecretError(`${file} is damaged. Restore it from a copy, or delete it.`);
    return key;
  }
}

/**
 * Encrypts a text (AES-256-GCM).
 *
 * @param key 32 bytes
 * @param purpose what the text is for. {@link unseal} requires the same one, so that a sealed text cannot be moved
 */
export function seal(text: string, key: Buffer, purpose: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(SEAL_ALGORITHM, key, iv, { authTagLength: TAG_BYTES }).setAAD(
    Buffer.from(purpose),
  );
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `${SEAL_VERSION}.${Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url')}`;
}

/** @returns null if the text was sealed with another key or for another purpose, or was changed */
export function unseal(sealed: string, key: Buffer, purpose: string): string | null {
  const [version, encoded = ''] = sealed.split('.');
  const bytes = Buffer.from(encoded, 'base64url');
  if (version !== SEAL_VERSION || bytes.length < IV_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(SEAL_ALGORITHM, key, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
