import type { SitePreview } from '@citewell/contracts/schemas';
import type { DataSource } from 'typeorm';
import { newId } from '../../connection/new-id.js';
import { execute, queryRow, sql } from '../../connection/sql.js';
import type { TenantScope } from '../../connection/tenant-scope.js';
import { valuesOf } from '../../schema/columns.js';
import { SitePreviewEntity } from '../../schema/ingestion.entities.js';

/** The channel that tells crawlers that a preview is wanted. */
export const SITE_PREVIEW_CHANNEL = 'citewell_site_preview';

/** Nobody waits longer for a preview. */
const EXPIRES_AFTER_SECONDS = 30;

/** A preview that a crawler has claimed. */
export type ClaimedPreview = Pick<SitePreviewEntity, 'id' | 'config'>;

/** Requests for previews of web sites. They are not jobs: a lost one is not repeated. */
export class SitePreviewRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Asks the crawlers for a preview. @returns its id */
  async request(scope: TenantScope, config: Record<string, unknown>): Promise<string> {
    const id = newId();
    await this.dataSource.transaction(async (manager) => {
      // Those of processes that were killed.
      await execute(
        manager,
        sql`DELETE FROM site_previews WHERE created_at < now() - make_interval(secs => ${EXPIRES_AFTER_SECONDS})`,
      );
      const { organizationId } = scope;
      await manager.insert(SitePreviewEntity, valuesOf<SitePreviewEntity>({ id, organizationId, config }));
      await queryRow(manager, sql`SELECT pg_notify(${SITE_PREVIEW_CHANNEL}, '')`);
    });
    return id;
  }

  /** The result; null while there is none. */
  async result(scope: TenantScope, id: string): Promise<SitePreview | null> {
    const { organizationId } = scope;
    const preview = await this.dataSource.getRepository(SitePreviewEntity).findOneBy({ id, organizationId });
    return preview?.result ?? null;
  }

  async remove(scope: TenantScope, id: string): Promise<void> {
    await this.dataSource
      .getRepository(SitePreviewEntity)
      .delete({ id, organizationId: scope.organizationId });
  }

  /** Claims the oldest preview that nobody works on. @returns null if there is none */
  async claim(): Promise<ClaimedPreview | null> {
    return queryRow<ClaimedPreview>(
      this.dataSource,
      sql`UPDATE site_previews SET claimed_at = now() WHERE id = (
            SELECT id FROM site_previews
             WHERE claimed_at IS NULL AND created_at >= now() - make_interval(secs => ${EXPIRES_AFTER_SECONDS})
             ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
          RETURNING id, config`,
    );
  }

  /** Does nothing if nobody waits for the preview any more. */
  async finish(id: string, result: SitePreview): Promise<void> {
    await execute(
      this.dataSource,
      sql`UPDATE site_previews SET result = ${JSON.stringify(result)}::jsonb WHERE id = ${id}`,
    );
  }
}
