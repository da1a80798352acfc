import type { DataSource } from 'typeorm';
import type { TenantScope } from '../connection/tenant-scope.js';

/** What is known of a key when a request comes with it. */
export type IdempotencyState =
  | { kind: 'first' }
  | { kind: 'in-progress' }
  | { kind: 'other-request' }
  | { kind: 'answered'; status: number; response: unknown };

interface KeyRow {
  request_hash: string | null;
  status: number | null;
  response: unknown;
}

const KEPT = `interval '24 hours'`;
/** A first request that has not ended after this long died with its process. */
const ABANDONED = `interval '15 minutes'`;

/** `Idempotency-Key` headers: the same key and body get the same answer for 24 hours. */
export class IdempotencyRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Takes the key for this request, or says what became of the request that has it. */
  async begin(scope: TenantScope, route: string, key: string): Promise<'first' | 'taken'> {
    const rows = await this.dataSource.query<unknown[]>(
      `INSERT INTO idempotency_keys AS k (organization_id, route, key) VALUES ($1, $2, $3)
       ON CONFLICT (organization_id, route, key) DO UPDATE
          SET request_hash = NULL, status = NULL, response = NULL, created_at = now()
        WHERE k.created_at < now() - ${KEPT} OR (k.status IS NULL AND k.created_at < now() - ${ABANDONED})
       RETURNING 1`,
      [scope.organizationId, route, key],
    );
    return rows.length > 0 ? 'first' : 'taken';
  }

  /** What the request that has the key came to, as seen by a request with this body. */
  async look(scope: TenantScope, route: string, key: string, requestHash: string): Promise<IdempotencyState> {
    const [row] = await this.dataSource.query<KeyRow[]>(
      `SELECT request_hash, status, response FROM idempotency_keys WHERE organization_id = $1 AND route = $2 AND key = $3`,
      [scope.organizationId, route, key],
    );
    if (!row) return { kind: 'first' };
    if (row.status === null) return { kind: 'in-progress' };
    if (row.request_hash !== requestHash) return { kind: 'other-request' };
    return { kind: 'answered', status: row.status, response: row.response };
  }

  async finish(
    scope: TenantScope,
    route: string,
    key: string,
    requestHash: string,
    status: number,
    response: unknown,
  ): Promise<void> {
    await this.dataSource.query(
      `UPDATE idempotency_keys SET request_hash = $4, status = $5, response = $6::jsonb
        WHERE organization_id = $1 AND route = $2 AND key = $3`,
      [scope.organizationId, route, key, requestHash, status, JSON.stringify(response)],
    );
  }

  /** Forgets a key whose request failed on our side: trying again is a new request. */
  async release(scope: TenantScope, route: string, key: string): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM idempotency_keys WHERE organization_id = $1 AND route = $2 AND key = $3 AND status IS NULL`,
      [scope.organizationId, route, key],
    );
  }

  /** Removes what is older than a day. */
  async collect(): Promise<void> {
    await this.dataSource.query(`DELETE FROM idempotency_keys WHERE created_at < now() - ${KEPT}`);
  }
}
