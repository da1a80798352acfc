import { type EntityManager, In, Not } from 'typeorm';
import { newId } from '../connection/new-id.js';
import { AccountEntity } from './account.entity.js';
import type { CheckedAccount } from './account.repository.js';
import { PasswordResetEntity } from './password-reset.entity.js';
import { PersonEntity } from './person.entity.js';
import { SessionEntity } from './session.entity.js';

interface Owner {
  person: PersonEntity;
  account: CheckedAccount | null;
  /** The session that stays. */
  sessionId: string;
}

/**
 * Changes e-mail and password of a person, or of the account and all its people. Links that were created for them before stop
 * working. The e-mail is then one that only its person has asserted.
 *
 * @returns `password-changed`, without a change, if the account has another password than the one that was checked
 */
export async function changeCredentials(
  manager: EntityManager,
  { person, account, sessionId }: Owner,
  { email, passwordHash }: { email: string | undefined; passwordHash: string | undefined },
): Promise<'updated' | 'password-changed'> {
  if (account !== null) {
    const checked = { id: account.id, passwordHash: account.passwordHash };
    const changes = {
      ...checked,
      ...(email !== undefined && { email }),
      ...(passwordHash && { passwordHash }),
    };
    if (!(await manager.update(AccountEntity, checked, changes)).affected) return 'password-changed';
  }
  let accountId = account?.id ?? null;
  if (accountId === null && passwordHash !== undefined) {
    accountId = newId();
    await manager.insert(AccountEntity, { id: accountId, email: email ?? person.email ?? '', passwordHash });
    await manager.update(PersonEntity, { id: person.id }, { accountId });
  }
  const people = accountId === null ? { id: person.id } : { accountId };
  await manager.update(PersonEntity, people, {
    ...(email !== undefined && { email, emailClaimed: true }),
    linkHash: null,
    linkExpiresAt: null,
  });
  if (accountId !== null) await manager.delete(PasswordResetEntity, { accountId });
  if (passwordHash === undefined) return 'updated';
  const ids = (await manager.find(PersonEntity, { select: { id: true }, where: people })).map(({ id }) => id);
  await manager.delete(SessionEntity, { personId: In(ids), id: Not(sessionId) });
  return 'updated';
}
