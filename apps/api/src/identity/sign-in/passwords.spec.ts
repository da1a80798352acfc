import { expect, it } from '@jest/globals';
import { accountWithPassword, hashPassword, isPassword } from './passwords.js';

it.each(['a long enough phrase', '密码密码密码密码密码', 'ﬁne, with a ligature', `${'x'.repeat(999)}\0`])(
  'the hash of %j has a salt and matches this password alone',
  async (password) => {
    const [hash, other] = [await hashPassword(password), await hashPassword(password)];
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(other).not.toBe(hash);
    expect(await isPassword(password, hash)).toBe(true);
    for (const wrong of [`${password} `, password.slice(1), password.normalize('NFKC').toUpperCase()])
      expect(await isPassword(wrong, hash)).toBe(wrong === password);
    expect(await isPassword(password, null)).toBe(false);
  },
);

it('finds the first account with the password', async () => {
  const accounts = await Promise.all(
    ['one', 'two', 'two'].map(async (password, n) => ({
      id: `${n}`,
      passwordHash: await hashPassword(password),
    })),
  );
  expect((await accountWithPassword('two', accounts))?.id).toBe('1');
  expect(await accountWithPassword('three', accounts)).toBeNull();
  expect(await accountWithPassword('one', [])).toBeNull();
});
