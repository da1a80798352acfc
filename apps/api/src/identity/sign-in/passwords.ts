import { type CheckedAccount, MAX_ACCOUNTS_OF_EMAIL } from '@citewell/database';
import { hash, verify } from '@node-rs/argon2';

/**
 * Argon2id with 19 MiB and two passes, the first choice of the OWASP Password Storage Cheat Sheet. The hash names its
 * parameters, so hashes of other parameters stay valid.
 */
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Of no password that anybody may have. */
let placeholder: Promise<string> | undefined;

/** @returns in PHC string format, with a salt */
export function hashPassword(password: string): Promise<string> {
  return hash(password, PARAMETERS);
}

/**
 * Whether a password is the one of the hash. Without a hash, the answer takes as long, so that it does not tell whether an
 * account exists.
 */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  placeholder ??= hashPassword(crypto.randomUUID());
  const matches = await verify(passwordHash ?? (await placeholder), password);
  return matches && passwordHash !== null;
}

/**
 * The first of the accounts of an e-mail that has the password. It takes the same time for every number of accounts up to
 * {@link MAX_ACCOUNTS_OF_EMAIL}, so that it does not tell whether somebody else has an account with the e-mail.
 */
export async function accountWithPassword(
  password: string,
  accounts: readonly CheckedAccount[],
): Promise<CheckedAccount | null> {
  const hashes = Array.from({ length: MAX_ACCOUNTS_OF_EMAIL }, (_, n) => accounts[n]?.passwordHash ?? null);
  const matches = await Promise.all(hashes.map((passwordHash) => isPassword(password, passwordHash)));
  return accounts[matches.indexOf(true)] ?? null;
}
