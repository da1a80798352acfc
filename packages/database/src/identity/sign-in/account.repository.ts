import type { Role } from '@citewell/contracts/schemas';
import { type DataSource, type EntityManager, In, Not } from 'typeorm';
import { isUniqueViolation } from '../../connection/database-unavailable.js';
import { newId } from '../../connection/new-id.js';
import { attempt, done, refuse, type Result } from '../../connection/result.js';
import { execute, queryRow, queryRows, sql } from '../../connection/sql.js';
import {
  AccountEntity,
  PasskeyEntity,
  PasswordResetEntity,
  PersonEntity,
  SessionEntity,
} from '../../schema/identity.entities.js';

/** A person of an account, with the organization. */
export interface Membership {
  organizationId: string;
  organizationName: string;
  personId: string;
  role: Role;
}

/** An account and the password hash that was checked, which may have been replaced since. */
export type CheckedAccount = Pick<AccountEntity, 'id' | 'passwordHash'>;

/** An account and the passkey that has signed, which may have been removed since. */
export interface AccountWithPasskey {
  id: string;
  passkeyId: string;
}

/**
 * Accounts of one e-mail whose passwords are compared at a sign-in. More than one has it only if people have asserted an e-mail
 * that nobody has verified as theirs.
 */
export const MAX_ACCOUNTS_OF_EMAIL = 3;

/** Whose link a token is of. */
export interface LinkedPerson {
  email: string;
  /** Whether the person has the account already: the link sets a new password. */
  isOwn: boolean;
  /** The account that has verified the person's e-mail; null if there is none. */
  account: CheckedAccount | null;
}

/** The person of a link that was used up, and the account; or why it was not. */
export type Redemption = Result<{ person: PersonEntity; accountId: string }, 'unusable' | 'account-exists'>;

/** The id of an account. */
type AccountResult = Result<string, 'unusable' | 'account-exists'>;

/**
 * Accounts of the installation, and the links with which people get one. Locks: first people, then accounts. Whoever locks an
 * account knows how many people it has.
 */
export class AccountRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The accounts with an e-mail: first the one that has verified it, then the oldest ones that only assert it, at most
   * {@link MAX_ACCOUNTS_OF_EMAIL}.
   *
   * @param email in lower case
   */
  async allWithEmail(email: string): Promise<AccountEntity[]> {
    return queryRows<AccountEntity>(
      this.dataSource,
      sql`SELECT a.id, a.email, a.password_hash AS "passwordHash", a.created_at AS "createdAt" FROM accounts a
           WHERE a.email = ${email}
              OR (a.email IS NULL AND a.id IN (SELECT account_id FROM people WHERE email = ${email}))
           ORDER BY a.email NULLS LAST, a.id LIMIT ${MAX_ACCOUNTS_OF_EMAIL}`,
    );
  }

  /** The first of {@link allWithEmail}. */
  async withEmail(email: string): Promise<AccountEntity | null> {
    return (await this.allWithEmail(email))[0] ?? null;
  }

  async find(id: string): Promise<AccountEntity | null> {
    return this.dataSource.manager.findOneBy(AccountEntity, { id });
  }

  /**
   * The people of an account with which a session can begin: not those that are deactivated. First that of the organization in
   * which it last began a session.
   */
  async memberships(accountId: string): Promise<Membership[]> {
    return queryRows<Membership>(
      this.dataSource,
      sql`SELECT o.id AS "organizationId", o.name AS "organizationName", p.id AS "personId", p.role
            FROM people p JOIN organizations o ON o.id = p.organization_id
           WHERE p.account_id = ${accountId} AND p.disabled_at IS NULL AND o.deleted_at IS NULL
           ORDER BY p.signed_in_at DESC NULLS LAST, p.id DESC`,
    );
  }

  /** How many people an account has, deactivated ones too: no organization decides about the account of others. */
  async countPeople(accountId: string): Promise<number> {
    return this.dataSource.manager.countBy(PersonEntity, { accountId });
  }

  /** The e-mail of the people of an account, verified or not. Null for a first owner who has none yet. */
  async emailOf(accountId: string): Promise<string | null> {
    const row = await queryRow<{ email: string | null }>(
      this.dataSource,
      sql`SELECT email FROM people WHERE account_id = ${accountId} LIMIT 1`,
    );
    return row?.email ?? null;
  }

  /** The language that the person has chosen who has used the account last; null without a choice. */
  async language(accountId: string): Promise<string | null> {
    const row = await queryRow<{ language: string | null }>(
      this.dataSource,
      sql`SELECT language FROM people WHERE account_id = ${accountId} AND language IS NOT NULL
           ORDER BY signed_in_at DESC NULLS LAST LIMIT 1`,
    );
    return row?.language ?? null;
  }

  /** The person with a link that can be used now. A person without e-mail has none, and one who is deactivated cannot use it. */
  async withLink(linkHash: string): Promise<LinkedPerson | null> {
    const row = await queryRow<{
      email: string;
      accountId: string | null;
      id: string | null;
      passwordHash: string | null;
    }>(
      this.dataSource,
      sql`SELECT p.email, p.account_id AS "accountId", a.id, a.password_hash AS "passwordHash"
            FROM people p LEFT JOIN accounts a ON a.id = p.account_id OR (p.account_id IS NULL AND a.email = p.email)
           WHERE p.link_hash = ${linkHash} AND p.link_expires_at > now() AND p.email IS NOT NULL
             AND p.disabled_at IS NULL`,
    );
    if (row === null) return null;
    const { email, accountId, id, passwordHash } = row;
    const account = id === null || passwordHash === null ? null : { id, passwordHash };
    return { email, isOwn: accountId !== null, account };
  }

  /**
   * Uses a link up: creates the account of the person, or sets its new password, and ends the sessions of before. A password is
   * set only while the person is the only one of the account. No organization decides about the account of others. A new account
   * has verified the e-mail of an invitation: `account-exists` if another one has.
   */
  async redeemLink(
    linkHash: string,
    { passwordHash, name }: { passwordHash: string; name: string | null },
  ): Promise<Redemption> {
    return this.redeem(linkHash, async (manager, person) => {
      const account =
        person.accountId === null
          ? await createAccount(manager, person, passwordHash)
          : await resetPassword(manager, person.accountId, passwordHash);
      if (!account.ok) return account;
      await execute(
        manager,
        sql`UPDATE people SET account_id = ${account.value}, name = coalesce(${name}, name) WHERE id = ${person.id}`,
      );
      await execute(manager, sql`DELETE FROM sessions WHERE person_id = ${person.id}`);
      return account;
    });
  }

  /**
   * Uses an invitation up: the person becomes one of an account that exists, and takes over its name and language. The account
   * has verified the e-mail from then on.
   *
   * @param account whose password was checked; `account-exists` if it has another one now
   */
  async join(linkHash: string, { id, passwordHash }: CheckedAccount): Promise<Redemption> {
    return this.redeem(linkHash, async (manager, person) => {
      const account = await queryRow(
        manager,
        sql`SELECT 1 FROM accounts a WHERE id = ${id} AND password_hash = ${passwordHash}
               AND (email = ${person.email} OR (email IS NULL AND EXISTS (
                 SELECT 1 FROM people WHERE account_id = a.id AND email = ${person.email}))) FOR UPDATE`,
      );
      if (account === null || person.accountId !== null) return refuse('account-exists');
      await execute(
        manager,
        sql`UPDATE people p SET account_id = ${id}, name = coalesce(p.name, other.name),
                   language = coalesce(p.language, other.language)
              FROM (SELECT max(name) AS name, max(language) AS language FROM people WHERE account_id = ${id}) other
             WHERE p.id = ${person.id}`,
      );
      await claimEmail(manager, id);
      return done(id);
    });
  }

  private async redeem(
    linkHash: string,
    use: (manager: EntityManager, person: PersonEntity) => Promise<AccountResult>,
  ): Promise<Redemption> {
    return attempt<{ person: PersonEntity; accountId: string }, 'unusable' | 'account-exists'>(
      this.dataSource,
      async (manager) => {
        const used = await queryRow<{ id: string }>(
          manager,
          sql`UPDATE people SET link_hash = NULL, link_expires_at = NULL
               WHERE link_hash = ${linkHash} AND link_expires_at > now() AND email IS NOT NULL AND disabled_at IS NULL
           RETURNING id`,
        );
        if (used === null) return refuse('unusable');
        const { id } = used;
        const account = await use(manager, await manager.findOneByOrFail(PersonEntity, { id }));
        if (!account.ok) return account;
        const person = await manager.findOneByOrFail(PersonEntity, { id });
        return done({ person, accountId: account.value });
      },
    );
  }
}

async function createAccount(
  manager: EntityManager,
  { email, emailClaimed }: PersonEntity,
  passwordHash: string,
): Promise<AccountResult> {
  const verified = emailClaimed ? null : email;
  const created = await queryRow<{ id: string }>(
    manager,
    sql`INSERT INTO accounts (id, email, password_hash) VALUES (${newId()}, ${verified}, ${passwordHash})
        ON CONFLICT (email) DO NOTHING RETURNING id`,
  );
  return created ? done(created.id) : refuse('account-exists');
}

async function resetPassword(
  manager: EntityManager,
  accountId: string,
  passwordHash: string,
): Promise<AccountResult> {
  await queryRow(manager, sql`SELECT 1 FROM accounts WHERE id = ${accountId} FOR UPDATE`);
  const people = await queryRows(manager, sql`SELECT 1 FROM people WHERE account_id = ${accountId}`);
  if (people.length !== 1) return refuse('unusable');
  await manager.update(AccountEntity, { id: accountId }, { passwordHash });
  await manager.delete(PasswordResetEntity, { accountId });
  await manager.delete(PasskeyEntity, { accountId });
  return done(accountId);
}

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
 * @returns refuses with `password-changed` if the account has another password than the one that was checked
 */
export async function changeCredentials(
  manager: EntityManager,
  { person, account, sessionId }: Owner,
  {
    email,
    isVerified = false,
    passwordHash,
  }: { email: string | undefined; isVerified?: boolean; passwordHash?: string | undefined },
): Promise<Result<undefined, 'password-changed'>> {
  if (account !== null) {
    const checked = { id: account.id, passwordHash: account.passwordHash };
    const changes = {
      ...checked,
      ...(email !== undefined && { email: isVerified ? email : null }),
      ...(passwordHash && { passwordHash }),
    };
    if (!(await manager.update(AccountEntity, checked, changes)).affected) return refuse('password-changed');
  }
  let accountId = account?.id ?? null;
  if (accountId === null && passwordHash !== undefined) {
    accountId = newId();
    const verified = email === undefined && !person.emailClaimed ? person.email : null;
    await manager.insert(AccountEntity, { id: accountId, email: verified, passwordHash });
    await manager.update(PersonEntity, { id: person.id }, { accountId });
    // Who has just chosen the first password need not sign in with it.
    await manager.update(SessionEntity, { id: sessionId }, { accountId });
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
  if (passwordHash === undefined) return done();
  const ids = (await manager.find(PersonEntity, { select: { id: true }, where: people })).map(({ id }) => id);
  await manager.delete(SessionEntity, { personId: In(ids), id: Not(sessionId) });
  return done();
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
