import { type Role, ROLE_SCOPES } from '@citewell/contracts/schemas';
import { type DataSource, LessThan, MoreThan } from 'typeorm';
import { isId, newId } from '../connection/new-id.js';
import { queryRow, sql } from '../connection/sql.js';
import type { Reader, TenantScope } from '../connection/tenant-scope.js';
import type { AuthenticatedKey } from './organization.repository.js';
import { PersonEntity } from './person.entity.js';
import { SessionEntity } from './session.entity.js';

/** A valid session. Its `id` is that of its person or key. */
export interface AuthenticatedSession extends AuthenticatedKey {
  sessionId: string;
  /** Null if a key has begun the session. */
  reader: Reader | null;
}

type NewSession = Pick<SessionEntity, 'organizationId' | 'hash' | 'expiresAt' | 'userAgent'> &
  ({ apiKeyId: string } | { personId: string });

/** The sessions of browsers. Only the hashes of their tokens are stored. */
export class SessionRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores a session of a person or an API key that was just authenticated. */
  async create(session: NewSession): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await manager.insert(SessionEntity, { id: newId(), ...session });
      if ('personId' in session)
        await manager.update(PersonEntity, { id: session.personId }, { signedInAt: new Date() });
    });
  }

  /**
   * The session with this hash, if neither it nor its key has expired. `expiresAt` is the earlier of both. A person has the
   * scopes of the present role.
   */
  async authenticate(hash: string): Promise<AuthenticatedSession | null> {
    const row = await queryRow<
      Omit<AuthenticatedSession, 'scopes' | 'reader'> & {
        scopes: string[] | null;
        personId: string | null;
        role: Role | null;
      }
    >(
      this.dataSource,
      sql`SELECT s.id AS "sessionId", s.person_id AS "personId", coalesce(p.id, k.id) AS id,
                 s.organization_id AS "organizationId", k.scopes, p.role,
                 least(k.expires_at, s.expires_at) AS "expiresAt", NULL::json AS publishable
            FROM sessions s JOIN organizations o ON o.id = s.organization_id
                 LEFT JOIN api_keys k ON k.id = s.api_key_id LEFT JOIN people p ON p.id = s.person_id
           WHERE s.hash = ${hash} AND s.expires_at > now() AND o.deleted_at IS NULL
             AND (k.expires_at IS NULL OR k.expires_at > now()) AND num_nonnulls(k.id, p.id) = 1`,
    );
    if (row === null) return null;
    const { role, personId, scopes, ...session } = row;
    if (personId === null || role === null) return { ...session, reader: null, scopes: scopes ?? [] };
    return { ...session, reader: { personId, role }, scopes: [...ROLE_SCOPES[role]] };
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

  /** Removes expired sessions. */
  async collect(): Promise<void> {
    await this.dataSource.manager.delete(SessionEntity, { expiresAt: LessThan(new Date()) });
  }
}
