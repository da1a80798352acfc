import type { UpdateWebhook } from '@citewell/contracts/schemas';
import type { DataSource } from 'typeorm';
import { isId } from '../connection/new-id.js';
import { attempt, done, refuse, type Result } from '../connection/result.js';
import { execute, queryRow, queryRows, sql } from '../connection/sql.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import { WebhookEntity } from '../schema/interfaces.entities.js';

export type NewWebhook = Pick<WebhookEntity, 'id' | 'url' | 'events' | 'sealedSecret'>;

const REMOVED_PER_STATEMENT = 10_000;

/** The endpoints of organizations. */
export class WebhookRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Refuses more than `max` endpoints. */
  async create(
    { organizationId }: TenantScope,
    webhook: NewWebhook,
    max: number,
  ): Promise<Result<WebhookEntity, 'too-many'>> {
    return attempt(this.dataSource, async (manager) => {
      // Two requests at once must not both see the last free place.
      await queryRow(manager, sql`SELECT id FROM organizations WHERE id = ${organizationId} FOR UPDATE`);
      if ((await manager.countBy(WebhookEntity, { organizationId })) >= max) return refuse('too-many');
      await manager.insert(WebhookEntity, { ...webhook, organizationId, events: unique(webhook.events) });
      return done(await manager.findOneByOrFail(WebhookEntity, { id: webhook.id }));
    });
  }

  /** Newest first. */
  async list({ organizationId }: TenantScope): Promise<WebhookEntity[]> {
    return this.dataSource.getRepository(WebhookEntity).find({
      where: { organizationId },
      order: { id: 'DESC' },
    });
  }

  async find({ organizationId }: TenantScope, id: string): Promise<WebhookEntity | null> {
    if (!isId(id)) return null;
    return this.dataSource.getRepository(WebhookEntity).findOneBy({ id, organizationId });
  }

  /** Another address begins without the failures of the earlier one, and so does an endpoint that is enabled. */
  async update(
    scope: TenantScope,
    id: string,
    { url, events, enabled }: UpdateWebhook,
  ): Promise<WebhookEntity | null> {
    if (!isId(id)) return null;
    const isFresh = url !== undefined || enabled === true;
    await execute(
      this.dataSource,
      sql`UPDATE webhooks
             SET url = coalesce(${url ?? null}, url), events = coalesce(${events ? unique(events) : null}::text[], events),
                 failing_since = CASE WHEN ${isFresh} THEN NULL ELSE failing_since END,
                 disabled_reason = CASE ${enabled ?? null}::bool WHEN true THEN NULL
                   WHEN false THEN coalesce(disabled_reason, 'request') ELSE disabled_reason END
           WHERE id = ${id} AND organization_id = ${scope.organizationId}`,
    );
    return this.find(scope, id);
  }

  /**
   * Replaces the secret. The one before signs, too, for some time.
   *
   * @returns null if there is no such endpoint
   */
  async rotate(
    scope: TenantScope,
    id: string,
    sealedSecret: string,
    overlapSeconds: number,
  ): Promise<WebhookEntity | null> {
    if (!isId(id)) return null;
    await execute(
      this.dataSource,
      sql`UPDATE webhooks
             SET previous_sealed_secret = sealed_secret, sealed_secret = ${sealedSecret},
                 previous_until = now() + make_interval(secs => ${overlapSeconds})
           WHERE id = ${id} AND organization_id = ${scope.organizationId}`,
    );
    return this.find(scope, id);
  }

  /** Also removes its deliveries, in batches: there may be many. */
  async remove({ organizationId }: TenantScope, id: string): Promise<void> {
    await this.dataSource
      .getRepository(WebhookEntity)
      .update({ id, organizationId }, { disabledReason: 'request' });
    const removeSome = (): Promise<number> =>
      execute(
        this.dataSource,
        sql`DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(
              SELECT ctid FROM webhook_deliveries
               WHERE organization_id = ${organizationId} AND webhook_id = ${id} LIMIT ${REMOVED_PER_STATEMENT}))`,
      );
    while ((await removeSome()) === REMOVED_PER_STATEMENT);
    await this.dataSource.getRepository(WebhookEntity).delete({ id, organizationId });
  }

  /** Whether an organization has an endpoint, and so an encrypted secret. */
  async hasSecrets(): Promise<boolean> {
    const rows = await queryRows(this.dataSource, sql`SELECT 1 FROM webhooks LIMIT 1`);
    return rows.length > 0;
  }
}

function unique<Item>(items: readonly Item[]): Item[] {
  return [...new Set(items)];
}
