import type { DataSource } from 'typeorm';
import { done, refuse, type Result } from '../connection/result.js';
import { execute, queryRow, type Sql, sql } from '../connection/sql.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import { IdempotencyKeyEntity } from '../schema/interfaces.entities.js';

/** What became of the first request with a key, as seen by a request with the same key. */
export type IdempotencyState =
  | { kind: 'first' }
  | { kind: 'in-progress' }
  | { kind: 'other-request' }
  | { kind: 'answered'; status: number; response: unknown };

/** A key as one request has reserved it. */
export interface Reservation {
  readonly route: string;
  readonly key: string;
  /** Random. A repeated reservation, answer or release of the same request has the same effect as the first. */
  readonly id: string;
}

/** What is kept of an answer. */
export interface KeptAnswer {
  readonly requestHash: string;
  readonly status: number;
  readonly response: unknown;
}

/** An expression: how long a key is kept. */
const RETENTION = sql`interval '24 hours'`;
/** An expression: a first request without an answer after this time died with its process. */
const ABANDONED_AFTER = sql`interval '15 minutes'`;

/** `Idempotency-Key` headers: the same key and body get the same answer for 24 hours. */
export class IdempotencyRepository {
  constructor(private readonly dataSource: DataSource) {}

  private get rows() {
    return this.dataSource.getRepository(IdempotencyKeyEntity);
  }

  /** Reserves the key for this request. Refuses one that another request has. */
  async begin(scope: TenantScope, { route, key, id }: Reservation): Promise<Result<undefined, 'taken'>> {
    const reserved = await queryRow(
      this.dataSource,
      sql`INSERT INTO idempotency_keys AS k (organization_id, route, key, request_hash)
          VALUES (${scope.organizationId}, ${route}, ${key}, ${id})
          ON CONFLICT (organization_id, route, key) DO UPDATE
             SET request_hash = ${id}, status = NULL, response = NULL, created_at = now()
           WHERE k.created_at < now() - ${RETENTION}
              OR (k.status IS NULL AND k.created_at < now() - ${ABANDONED_AFTER})
          RETURNING 1`,
    );
    return reserved ? done() : refuse('taken');
  }

  /** The state of the request that has the key, for a request whose body has this hash. */
  async find(scope: TenantScope, route: string, key: string, requestHash: string): Promise<IdempotencyState> {
    const row = await this.rows.findOneBy({ organizationId: scope.organizationId, route, key });
    if (row === null) return { kind: 'first' };
    if (row.status === null) return { kind: 'in-progress' };
    if (row.requestHash !== requestHash) return { kind: 'other-request' };
    return { kind: 'answered', status: row.status, response: row.response };
  }

  /** Keeps the answer of the request that has reserved the key. */
  async finish(scope: TenantScope, reservation: Reservation, answer: KeptAnswer): Promise<void> {
    const { requestHash, status, response } = answer;
    await execute(
      this.dataSource,
      sql`UPDATE idempotency_keys
             SET request_hash = ${requestHash}, status = ${status}, response = ${JSON.stringify(response)}::jsonb
           WHERE ${isReserved(scope, reservation)}`,
    );
  }

  /** Releases a key whose request failed on the server's side: trying again is a new request. */
  async release(scope: TenantScope, reservation: Reservation): Promise<void> {
    await execute(this.dataSource, sql`DELETE FROM idempotency_keys WHERE ${isReserved(scope, reservation)}`);
  }

  /** Removes keys after their retention. */
  async collect(): Promise<void> {
    await execute(this.dataSource, sql`DELETE FROM idempotency_keys WHERE created_at < now() - ${RETENTION}`);
  }
}

/** A condition: the key is in use by this request. */
function isReserved({ organizationId }: TenantScope, { route, key, id }: Reservation): Sql {
  return sql`organization_id = ${organizationId} AND route = ${route} AND key = ${key}
             AND status IS NULL AND request_hash = ${id}`;
}
