import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { seal, unseal } from './secrets.js';

const KEY = randomBytes(32);

describe('seal', () => {
  it.each(['', 'sk-123', 'ключ 🗝', 'x'.repeat(5_000)])('can be undone: %.10s', (text) => {
    const sealed = seal(text, KEY, 'chat');
    expect(unseal(sealed, KEY, 'chat')).toBe(text);
    expect(sealed).not.toBe(seal(text, KEY, 'chat'));
    expect(sealed).toMatch(/^v1\.[\w-]+$/);
  });

  it('is undone with the same key and for the same purpose only', () => {
    const sealed = seal('sk-123', KEY, 'chat https://a.example');
    expect(unseal(sealed, randomBytes(32), 'chat https://a.example')).toBeNull();
    expect(unseal(sealed, KEY, 'chat https://b.example')).toBeNull();
  });

  it('notices every change', () => {
    const sealed = seal('sk-123', KEY, 'chat');
    const [version, encoded = ''] = sealed.split('.');
    const bytes = Buffer.from(encoded, 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(unseal(`${version}.${changed.toString('base64url')}`, KEY, 'chat')).toBeNull();
    }
    for (const other of ['', 'v1.', 'v1.AAAA', `v2.${encoded}`, sealed.slice(0, -4), 'sk-123'])
      expect(unseal(other, KEY, 'chat')).toBeNull();
  });
});
