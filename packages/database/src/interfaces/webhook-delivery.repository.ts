import type { WebhookDeliveryError, WebhookDeliveryState } from '@citewell/contracts/schemas';
import type { DataSource } from 'typeorm';
import { isId, newId } from '../connection/new-id.js';
import { afterCursor, type Page } from '../connection/page.js';
import { done, refuse, type Result } from '../connection/result.js';
import { execute, queryRow, queryRows, sql } from '../connection/sql.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import { WebhookDeliveryEntity, type WebhookEntity } from '../schema/interfaces.entities.js';

/** A delivery of which this process makes an attempt, and its endpoint. */
export type ClaimedDelivery = Pick<
  WebhookDeliveryEntity,
  'id' | 'organizationId' | 'webhookId' | 'type' | 'data' | 'attempts' | 'createdAt'
> &
  Pick<WebhookEntity, 'url' | 'sealedSecret' | 'previousSealedSecret'> & {
    /** Whether the last attempt to reach the endpoint has failed. */
    isFailing: boolean;
  };

/** How an attempt ended. */
export interface AttemptOutcome {
  readonly responseStatus: number | null;
  /** Null if the message was delivered. */
  readonly error: WebhookDeliveryError | null;
  /** Seconds until the next attempt; null for none. */
  readonly retryAfterSeconds: number | null;
  /** The endpoint asks for no further messages. */
  readonly isGone: boolean;
}

/** How many attempts may be made. */
export interface ClaimLimits {
  readonly total: number;
  /** Of these, to failing endpoints: they take as long as the time limit, and must not keep others waiting. */
  readonly failing: number;
}

/** Attempts at once to one endpoint. A failing one is tried with one at a time. */
const PER_ENDPOINT = 4;
/** Time without a success after which a failed delivery disables its endpoint. */
const FAILING_SECONDS = 5 * 24 * 60 * 60;
/** Days after which a delivery is removed. */
export const DELIVERY_DAYS = 30;
const COLLECTED_PER_CALL = 10_000;

const IS_DUE = sql`d.state = 'pending' AND d.due_at <= now() AND (d.leased_until IS NULL OR d.leased_until <= now())`;

/** Messages to endpoints: the triggers of the schema insert them, and the sender of any API process delivers them. */
export class WebhookDeliveryRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Takes due deliveries, fairly between endpoints: those that work before failing ones, and then those with fewer
   * attempts in progress. Nobody else gets them for `leaseSeconds`. Each claim counts as an attempt, so that a
   * delivery which ends its process is not tried for ever.
   */
  async claim({ total, failing }: ClaimLimits, leaseSeconds: number): Promise<ClaimedDelivery[]> {
    return queryRows<ClaimedDelivery>(
      this.dataSource,
      sql`WITH endpoints AS MATERIALIZED (
            SELECT w.id, w.failing_since IS NOT NULL AS is_failing,
                   (SELECT count(*) FROM webhook_deliveries d
                     WHERE d.webhook_id = w.id AND d.leased_until > now()) AS sending
              FROM webhooks w
             WHERE w.disabled_reason IS NULL AND EXISTS (
               SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.id AND ${IS_DUE})
          ), due AS (
            SELECT one.id, one.due_at, is_failing,
                   sending + row_number() OVER (PARTITION BY endpoints.id ORDER BY one.due_at) AS place
              FROM endpoints CROSS JOIN LATERAL (
                SELECT d.id, d.due_at FROM webhook_deliveries d WHERE d.webhook_id = endpoints.id AND ${IS_DUE}
                 ORDER BY d.due_at
                 LIMIT greatest(0, CASE WHEN is_failing THEN 1 ELSE ${PER_ENDPOINT} END - sending)) one
          ), ranked AS (
            SELECT *, row_number() OVER (PARTITION BY is_failing ORDER BY place, due_at, id) AS rank FROM due
          ), claimed AS (
            SELECT d.id, ranked.is_failing FROM ranked JOIN webhook_deliveries d ON d.id = ranked.id
             WHERE ${IS_DUE} AND (NOT ranked.is_failing OR ranked.rank <= ${failing})
             ORDER BY ranked.is_failing, ranked.rank LIMIT ${total} FOR UPDATE OF d SKIP LOCKED
          )
          UPDATE webhook_deliveries d
             SET leased_until = now() + make_interval(secs => ${leaseSeconds}), attempts = attempts + 1,
                 last_attempt_at = now()
            FROM claimed, webhooks w WHERE d.id = claimed.id AND w.id = d.webhook_id
          RETURNING d.id, d.organization_id AS "organizationId", d.webhook_id AS "webhookId", d.type, d.data,
                    d.attempts, d.created_at AS "createdAt", w.url, w.sealed_secret AS "sealedSecret",
                    CASE WHEN w.previous_until > now() THEN w.previous_sealed_secret END AS "previousSealedSecret",
                    claimed.is_failing AS "isFailing"`,
    );
  }

  /** Records the end of an attempt, unless the delivery was claimed again meanwhile. */
  async record(
    { id, webhookId, attempts }: Pick<ClaimedDelivery, 'id' | 'webhookId' | 'attempts'>,
    { responseStatus, error, retryAfterSeconds, isGone }: AttemptOutcome,
  ): Promise<void> {
    const state: WebhookDeliveryState =
      error === null ? 'delivered' : retryAfterSeconds === null ? 'failed' : 'pending';
    await execute(
      this.dataSource,
      sql`WITH recorded AS (
            UPDATE webhook_deliveries
               SET state = ${state}, leased_until = NULL, response_status = ${responseStatus}::int, error = ${error},
                   due_at = now() + make_interval(secs => ${retryAfterSeconds ?? 0})
             WHERE id = ${id} AND attempts = ${attempts} AND leased_until IS NOT NULL RETURNING 1
          )
          UPDATE webhooks
             SET failing_since = CASE WHEN ${error === null} THEN NULL ELSE coalesce(failing_since, now()) END,
                 disabled_reason = CASE
                   WHEN ${error === null} OR disabled_reason IS NOT NULL THEN disabled_reason
                   WHEN ${isGone} THEN 'gone'
                   WHEN ${state === 'failed'} AND failing_since < now() - make_interval(secs => ${FAILING_SECONDS}) THEN 'failing' END
           WHERE id = ${webhookId} AND EXISTS (SELECT 1 FROM recorded)
             -- Most deliveries change nothing of the endpoint.
             AND (failing_since IS NOT NULL OR ${error !== null})`,
    );
  }

  /** Gives a delivery back that was not sent, because the process stops. */
  async release({ id, attempts }: Pick<ClaimedDelivery, 'id' | 'attempts'>): Promise<void> {
    await execute(
      this.dataSource,
      sql`UPDATE webhook_deliveries SET leased_until = NULL, attempts = attempts - 1
           WHERE id = ${id} AND attempts = ${attempts} AND leased_until IS NOT NULL`,
    );
  }

  /** Newest first. */
  async list(
    { organizationId }: TenantScope,
    webhookId: string,
    page: Page,
    state?: WebhookDeliveryState,
  ): Promise<WebhookDeliveryEntity[]> {
    return this.dataSource.getRepository(WebhookDeliveryEntity).find({
      where: { organizationId, webhookId, ...afterCursor(page), ...(state === undefined ? {} : { state }) },
      order: { id: 'DESC' },
      take: page.limit,
    });
  }

  async find(
    { organizationId }: TenantScope,
    webhookId: string,
    id: string,
  ): Promise<WebhookDeliveryEntity | null> {
    if (!isId(id)) return null;
    return this.dataSource.getRepository(WebhookDeliveryEntity).findOneBy({ id, organizationId, webhookId });
  }

  /** Adds a message that no event has caused. @returns its id */
  async add(
    { organizationId }: TenantScope,
    webhookId: string,
    { type, data }: { type: string; data: Record<string, unknown> },
  ): Promise<string> {
    const id = newId();
    await queryRow(
      this.dataSource,
      sql`INSERT INTO webhook_deliveries (id, organization_id, webhook_id, type, data)
          VALUES (${id}, ${organizationId}, ${webhookId}, ${type}, ${JSON.stringify(data)}::jsonb)`,
    );
    return id;
  }

  /**
   * Sends a delivery again, under its id. Refuses one of which an attempt is in progress. One that waits is due at once.
   */
  async replay(
    { organizationId }: TenantScope,
    webhookId: string,
    id: string,
  ): Promise<Result<undefined, 'in-progress'>> {
    const replayed = await execute(
      this.dataSource,
      sql`UPDATE webhook_deliveries SET state = 'pending', attempts = 0, due_at = now()
           WHERE id = ${id} AND organization_id = ${organizationId} AND webhook_id = ${webhookId}
             AND (leased_until IS NULL OR leased_until <= now())`,
    );
    return replayed > 0 ? done() : refuse('in-progress');
  }

  /** Sends the failed deliveries again whose event is not older. @returns how many */
  async replayFailed({ organizationId }: TenantScope, webhookId: string, since: Date): Promise<number> {
    return execute(
      this.dataSource,
      sql`UPDATE webhook_deliveries SET state = 'pending', attempts = 0, due_at = now()
           WHERE organization_id = ${organizationId} AND webhook_id = ${webhookId} AND state = 'failed'
             AND created_at >= ${since}`,
    );
  }

  /** Removes deliveries that are older than {@link DELIVERY_DAYS}, whatever their state. */
  async collect(): Promise<void> {
    await execute(
      this.dataSource,
      sql`DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM webhook_deliveries WHERE id < ${olderThan(DELIVERY_DAYS)}
             ORDER BY id LIMIT ${COLLECTED_PER_CALL}))`,
    );
  }
}

/** The least UUIDv7 of an instant some days ago: ids begin with the time. */
function olderThan(days: number): string {
  const ms = Date.now() - days * 24 * 60 * 60 * 1000;
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
