import { type EntityManager, In, Not } from 'typeorm';
import { isUniqueViolation } from '../../connection/database-unavailable.js';
import { newId } from '../../connection/new-id.js';
import { execute, sql } from '../../connection/sql.js';
import {
  AccountEntity,
  PasswordResetEntity,
  PersonEntity,
  SessionEntity,
} from '../../schema/identity.entities.js';
import type { CheckedAccount } from './account.repository.js';

interface Owner {
  person: PersonEntity;
  account: CheckedAccount | null;
  /** The session that stays. */
  sessionId: string;
}

/**
 * Changes e-mail and password of a person, or of the account and all its people. Links that were created for them before stop
 * working. Another account may have the same e-mail, unless both have verified it.
 *
 * @param changes.isVerified whether the person has answered a mail to the e-mail
 * @returns `password-changed`, without a change, if the account has another password than the one that was checked
 */
export async function changeCredentials(
  manager: EntityManager,
  { person, account, sessionId }: Owner,
  {
    email,
    isVerified = false,
    passwordHash,
  }: { email: string | undefined; isVerified?: boolean; passwordHash?: string | undefined },
): Promise<'updated' | 'password-changed'> {
  if (account !== null) {
    const checked = { id: account.id, passwordHash: account.passwordHash };
    const changes = {
      ...checked,
      ...(email !== undefined && { email: isVerified ? email : null }),
      ...(passwordHash && { passwordHash }),
    };
    if (!(await manager.update(AccountEntity, checked, changes)).affected) return 'password-changed';
  }
  let accountId = account?.id ?? null;
  if (accountId === null && passwordHash !== undefined) {
    accountId = newId();
    const verified = email === undefined && !person.emailClaimed ? person.email : null;
    await manager.insert(AccountEntity, { id: accountId, email: verified, passwordHash });
    await manager.update(PersonEntity, { id: person.id }, { accountId });
  }
  const people = accountId === null ? { id: person.id } : { accountId };
  await manager.update(PersonEntity, people, {
    ...(email !== undefined && { email, emailClaimed: !isVerified }),
    linkHash: null,
    linkExpiresAt: null,
    nextEmail: null,
    nextEmailHash: null,
    nextEmailExpiresAt: null,
  });
  if (accountId !== null) await manager.delete(PasswordResetEntity, { accountId });
  if (passwordHash === undefined) return 'updated';
  const ids = (await manager.find(PersonEntity, { select: { id: true }, where: people })).map(({ id }) => id);
  await manager.delete(SessionEntity, { personId: In(ids), id: Not(sessionId) });
  return 'updated';
}

/** Makes the e-mail of an account its verified one, unless another account has verified the same. */
export async function claimEmail(manager: EntityManager, accountId: string): Promise<void> {
  try {
    // A savepoint: the transaction goes on after a conflict.
    await manager.transaction((inner) =>
      execute(
        inner,
        sql`UPDATE accounts a SET email = p.email FROM people p
             WHERE a.id = ${accountId} AND a.email IS NULL AND p.account_id = a.id AND p.email IS NOT NULL`,
      ),
    );
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
  }
}
