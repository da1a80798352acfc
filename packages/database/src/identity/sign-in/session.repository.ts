import { type DataSource, type EntityManager, LessThan, MoreThan } from 'typeorm';
import { isId, newId } from '../../connection/new-id.js';
import { attempt, done, refuse, type Result } from '../../connection/result.js';
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
   * @returns refuses if the person, the account, the passkey or the key was removed since, or the account has another password
   */
  async create(session: NewSession): Promise<Result<undefined, 'credentials-changed'>> {
    const begin = async (manager: EntityManager): Promise<Result<undefined, 'credentials-changed'>> => {
      if ('apiKeyId' in session) {
        await manager.insert(SessionEntity, { id: newId(), ...session });
        return done();
      }
      const { account, atProvider, ...fields } = session;
      const { organizationId } = fields;
      const sessionId = await insertOfPerson(manager, { ...fields, accountId: account?.id ?? null }, account);
      if (sessionId === null) return refuse('credentials-changed');
      if (atProvider)
        await manager.insert(ProviderSessionEntity, { sessionId, organizationId, ...atProvider });
      return done();
    };
    return attempt(this.dataSource, begin, { ifGone: 'credentials-changed' });
  }

  /**
   * Replaces the session of an account by one of another person of the account, until the same moment.
   *
   * @returns when the new session ends; refuses if the one before has ended, or the person is none of the account
   */
  async replace(
    { sessionId, accountId }: { sessionId: string; accountId: string },
    { personId, organizationId, hash }: { personId: string; organizationId: string; hash: string },
  ): Promise<Result<{ expiresAt: Date }, 'ended'>> {
    return attempt(this.dataSource, async (manager) => {
      const before = await manager.findOneBy(SessionEntity, { id: sessionId, accountId });
      if (before === null) return refuse('ended');
      const { expiresAt, userAgent } = before;
      const session = { personId, organizationId, accountId, hash, expiresAt, userAgent };
      if ((await insertOfPerson(manager, session)) === null) return refuse('ended');
      // A new password ends the session that is replaced, and waits for the lock on the account.
      const { affected } = await manager.delete(SessionEntity, { id: sessionId });
      return affected ? done({ expiresAt }) : refuse('ended');
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
