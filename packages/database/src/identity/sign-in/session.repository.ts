import { type DataSource, type EntityManager, LessThan, MoreThan } from 'typeorm';
import { isReferenceGone } from '../../connection/database-unavailable.js';
import { isId, newId } from '../../connection/new-id.js';
import { queryRow, sql } from '../../connection/sql.js';
import type { TenantScope } from '../../connection/tenant-scope.js';
import {
  PersonEntity,
  ProviderSessionEntity,
  ProviderSignInEntity,
  SessionEntity,
} from '../../schema/identity.entities.js';
import type { AccountWithPasskey, CheckedAccount } from './account.repository.js';
import { type AuthenticatedKey, type RowOf, withRights } from './credentials.js';

/** A valid session. Its `id` is that of its person or key. */
export interface AuthenticatedSession extends AuthenticatedKey {
  sessionId: string;
  /** Null unless the session was begun with the credentials of an account. */
  accountId: string | null;
  /** Name of the identity provider at which the session began. Null: here. */
  identityProvider: string | null;
}

/** What a session that begins at an identity provider keeps of it. */
type AtProvider = Pick<ProviderSessionEntity, 'providerId' | 'subject' | 'sealedTokens' | 'checkAt'>;

/** Who begins a session: a key, or a person, with or without the account whose password or passkey was checked. */
export type SessionOwner =
  | { apiKeyId: string }
  | { personId: string; account: CheckedAccount | AccountWithPasskey | null; atProvider?: AtProvider };

type NewSession = Pick<SessionEntity, 'organizationId' | 'hash' | 'expiresAt' | 'userAgent'> & SessionOwner;

/** The sessions of browsers. Only the hashes of their tokens are stored. */
export class SessionRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Stores a session of a person or an API key that was just authenticated.
   *
   * @returns false, without a session, if the person, the account, the passkey or the key was removed since, or the account has
   * another password
   */
  async create(session: NewSession): Promise<boolean> {
    try {
      return await this.dataSource.transaction(async (manager) => {
        if ('apiKeyId' in session) {
          await manager.insert(SessionEntity, { id: newId(), ...session });
          return true;
        }
        const { account, atProvider, ...fields } = session;
        const { organizationId } = fields;
        const id = await insertOfPerson(manager, { ...fields, accountId: account?.id ?? null }, account);
        if (id !== null && atProvider)
          await manager.insert(ProviderSessionEntity, { sessionId: id, organizationId, ...atProvider });
        return id !== null;
      });
    } catch (error) {
      if (isReferenceGone(error)) return false;
      throw error;
    }
  }

  /**
   * Replaces the session of an account by one of another person of the account, until the same moment.
   *
   * @returns when the new session ends; null, without a change, if the one before has ended, or the person is none of the account
   */
  async replace(
    { sessionId, accountId }: { sessionId: string; accountId: string },
    { personId, organizationId, hash }: { personId: string; organizationId: string; hash: string },
  ): Promise<Pick<SessionEntity, 'expiresAt'> | null> {
    return this.dataSource
      .transaction(async (manager) => {
        const before = await manager.findOneBy(SessionEntity, { id: sessionId, accountId });
        if (before === null) return null;
        const { expiresAt, userAgent } = before;
        const session = { personId, organizationId, accountId, hash, expiresAt, userAgent };
        if ((await insertOfPerson(manager, session)) === null) return null;
        // A new password ends the session that is replaced, and waits for the lock on the account.
        if (!(await manager.delete(SessionEntity, { id: sessionId })).affected) throw new SessionEndedError();
        return { expiresAt };
      })
      .catch((error: unknown) => {
        if (error instanceof SessionEndedError) return null;
        throw error;
      });
  }

  /**
   * The session with this hash, if neither it nor its key has expired. `expiresAt` is the earlier of both. A person has the
   * scopes of the present role.
   */
  async authenticate(hash: string): Promise<AuthenticatedSession | null> {
    const row = await queryRow<RowOf<AuthenticatedSession>>(
      this.dataSource,
      sql`SELECT s.id AS "sessionId", s.person_id AS "personId", s.account_id AS "accountId", coalesce(p.id, k.id) AS id,
                 s.organization_id AS "organizationId", k.scopes, p.role, ip.name AS "identityProvider",
                 least(k.expires_at, s.expires_at) AS "expiresAt", NULL::json AS publishable
            FROM sessions s JOIN organizations o ON o.id = s.organization_id
                 LEFT JOIN api_keys k ON k.id = s.api_key_id LEFT JOIN people p ON p.id = s.person_id
                 LEFT JOIN provider_sessions ps ON ps.session_id = s.id
                 LEFT JOIN identity_providers ip ON ip.id = ps.provider_id
           WHERE s.hash = ${hash} AND s.expires_at > now() AND o.deleted_at IS NULL
             AND (k.expires_at IS NULL OR k.expires_at > now()) AND num_nonnulls(k.id, p.id) = 1
             AND p.disabled_at IS NULL`,
    );
    return row && withRights(row);
  }

  /** The sessions of a person, newest first. */
  async ofPerson({ organizationId }: TenantScope, personId: string): Promise<SessionEntity[]> {
    return this.dataSource.manager.find(SessionEntity, {
      where: { organizationId, personId, expiresAt: MoreThan(new Date()) },
      order: { id: 'DESC' },
    });
  }

  /** Ends a session of a person. @returns null if there is none with this id */
  async removeOfPerson(
    { organizationId }: TenantScope,
    personId: string,
    id: string,
  ): Promise<SessionEntity | null> {
    if (!isId(id)) return null;
    const session = await this.dataSource.manager.findOneBy(SessionEntity, { id, organizationId, personId });
    if (session) await this.dataSource.manager.delete(SessionEntity, { id });
    return session;
  }

  async remove(hash: string): Promise<void> {
    await this.dataSource.manager.delete(SessionEntity, { hash });
  }

  /** Removes expired sessions, and sign-ins at providers. */
  async collect(): Promise<void> {
    await this.dataSource.manager.delete(SessionEntity, { expiresAt: LessThan(new Date()) });
    await this.dataSource.manager.delete(ProviderSignInEntity, { expiresAt: LessThan(new Date()) });
  }
}

/** Rolls a transaction back. */
class SessionEndedError extends Error {}

type PersonSession = Pick<
  SessionEntity,
  'organizationId' | 'hash' | 'expiresAt' | 'userAgent' | 'accountId'
> & {
  personId: string;
};

/**
 * Inserts a session, unless the person is gone or disabled, or is not of the account. The lock on the account makes a new password wait,
 * which then ends this session.
 *
 * @param checked the password that the account must have, or its passkey
 * @returns the id of the session; null without one
 */
async function insertOfPerson(
  manager: EntityManager,
  session: PersonSession,
  checked: CheckedAccount | AccountWithPasskey | null = null,
): Promise<string | null> {
  const { personId, organizationId, accountId } = session;
  const person = await queryRow<{ accountId: string | null }>(
    manager,
    sql`SELECT account_id AS "accountId" FROM people
         WHERE id = ${personId} AND organization_id = ${organizationId} AND disabled_at IS NULL FOR NO KEY UPDATE`,
  );
  if (person === null || (accountId !== null && person.accountId !== accountId)) return null;
  if (accountId !== null) {
    const account = await queryRow<{ passwordHash: string }>(
      manager,
      sql`SELECT password_hash AS "passwordHash" FROM accounts WHERE id = ${accountId} FOR SHARE`,
    );
    if (account === null) return null;
    if (checked && 'passwordHash' in checked && checked.passwordHash !== account.passwordHash) return null;
    if (checked && 'passkeyId' in checked) {
      const { passkeyId } = checked;
      const passkey = sql`SELECT 1 FROM passkeys WHERE id = ${passkeyId} AND account_id = ${accountId} FOR KEY SHARE`;
      if ((await queryRow(manager, passkey)) === null) return null;
    }
  }
  await manager.update(PersonEntity, { id: personId }, { signedInAt: new Date() });
  const id = newId();
  await manager.insert(SessionEntity, { id, ...session });
  return id;
}
