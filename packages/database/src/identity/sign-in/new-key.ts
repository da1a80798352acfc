import { createHash, randomBytes } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_CHARACTERS = 32;
const PREFIX_CHARACTERS = 9;

/** A new API key: `cw_` and 32 random characters of base 62, which are 190 random bits. */
export function generateKey(): string {
  let key = '';
  while (key.length < KEY_CHARACTERS) {
    // 248 is the largest multiple of 62 in a byte. Larger bytes are skipped, so that all characters are
    // equally likely.
    for (const byte of randomBytes(KEY_CHARACTERS))
      if (byte < 248 && key.length < KEY_CHARACTERS) key += BASE62[byte % 62];
  }
  return `cw_${key}`;
}

/** What is stored of a key: its hash to look it up, and its first characters to display. */
export function describeKey(key: string): { hash: string; prefix: string } {
  return { hash: createHash('sha256').update(key).digest('hex'), prefix: key.slice(0, PREFIX_CHARACTERS) };
}
