import { type DataSource, LessThan } from 'typeorm';
import { queryRow, sql } from '../connection/sql.js';
import { newId } from '../connection/new-id.js';
import type { AuthenticatedKey } from './organization.repository.js';
import { SessionEntity } from './session.entity.js';

/** The sessions of browsers. Only the hashes of their tokens are stored. */
export class SessionRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores a session of an API key that was just authenticated. */
  async create(
    key: Pick<AuthenticatedKey, 'id' | 'organizationId'>,
    session: Pick<SessionEntity, 'hash' | 'expiresAt'>,
  ): Promise<void> {
    const { id: apiKeyId, organizationId } = key;
    await this.dataSource.manager.insert(SessionEntity, {
      id: newId(),
      apiKeyId,
      organizationId,
      ...session,
    });
  }

  /** The key of the session with this hash, if neither has expired. `expiresAt` is the earlier of both. */
  async authenticate(hash: string): Promise<AuthenticatedKey | null> {
    return queryRow<AuthenticatedKey>(
      this.dataSource,
      sql`SELECT k.id, k.organization_id AS "organizationId", k.scopes,
                 least(k.expires_at, s.expires_at) AS "expiresAt", NULL::json AS publishable
            FROM sessions s JOIN api_keys k ON k.id = s.api_key_id JOIN organizations o ON o.id = k.organization_id
           WHERE s.hash = ${hash} AND s.expires_at > now() AND o.deleted_at IS NULL
             AND (k.expires_at IS NULL OR k.expires_at > now())`,
    );
  }

  async remove(hash: string): Promise<void> {
    await this.dataSource.manager.delete(SessionEntity, { hash });
  }

  /** Removes expired sessions. */
  async collect(): Promise<void> {
    await this.dataSource.manager.delete(SessionEntity, { expiresAt: LessThan(new Date()) });
  }
}
