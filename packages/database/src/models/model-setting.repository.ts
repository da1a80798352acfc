import { type DataSource, IsNull, Not, type Repository } from 'typeorm';
import { newId } from '../connection/new-id.js';
import { queryRow, queryRows, sql } from '../connection/sql.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import { IS_GROUP } from '../ingestion/runs/site-and-archive-runs.js';
import { UNFINISHED_STATES } from '../ingestion/runs/transitions.js';
import { ModelSettingEntity } from '../schema/models.entities.js';

/** How much of what serves is in a space. */
export interface SpaceProgress {
  /** Documents that serve. */
  documents: number;
  /** Of these, the ones in the space. */
  documentsDone: number;
  /** Of the others, those whose last attempt to reach the space has failed. They are tried again after an hour. */
  documentsFailed: number;
  /** Characters of the documents that serve. */
  characters: number;
  charactersDone: number;
}

/** A chosen model, and how its server is reached. */
export type ModelSetting = Pick<ModelSettingEntity, 'name' | 'baseUrl' | 'sealedKey'>;

/** The models that were chosen while the service runs: by the operator for the installation, or by an organization for itself. */
export class ModelSettingRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The choices of the installation by kind, such as `chat`. */
  async all(): Promise<Map<string, ModelSetting>> {
    const rows = await this.rows.findBy({ organizationId: IsNull() });
    return new Map(rows.map((row) => [row.kind, toSetting(row)]));
  }

  async store(kind: string, { name, baseUrl, sealedKey }: ModelSetting): Promise<void> {
    await this.rows.upsert(
      { id: newId(), organizationId: null, kind, name, baseUrl, sealedKey },
      { conflictPaths: ['kind'], indexPredicate: 'organization_id IS NULL' },
    );
  }

  async remove(kind: string): Promise<void> {
    await this.rows.delete({ organizationId: IsNull(), kind });
  }

  /** The own choice of an organization. Null if it has none. */
  async findOwn({ organizationId }: TenantScope, kind: string): Promise<ModelSetting | null> {
    const row = await this.rows.findOneBy({ organizationId, kind });
    return row && toSetting(row);
  }

  async storeOwn(
    { organizationId }: TenantScope,
    kind: string,
    { name, baseUrl, sealedKey }: ModelSetting,
  ): Promise<void> {
    await this.rows.upsert(
      { id: newId(), organizationId, kind, name, baseUrl, sealedKey },
      { conflictPaths: ['organizationId', 'kind'] },
    );
  }

  async removeOwn({ organizationId }: TenantScope, kind: string): Promise<void> {
    await this.rows.delete({ organizationId, kind });
  }

  /** Whether the installation or an organization has stored a key. */
  async hasKeys(): Promise<boolean> {
    return this.rows.existsBy({ sealedKey: Not(IsNull()) });
  }

  private get rows(): Repository<ModelSettingEntity> {
    return this.dataSource.getRepository(ModelSettingEntity);
  }

  /** Counts the documents of all organizations. Sites and archives have no text, and do not count. */
  async progress(space: string): Promise<SpaceProgress> {
    const row = await queryRow<SpaceProgress>(
      this.dataSource,
      sql`SELECT count(*)::float8 AS documents,
                 count(*) FILTER (WHERE r.space = ${space})::float8 AS "documentsDone",
                 count(*) FILTER (WHERE r.space <> ${space}
                   AND EXISTS (SELECT 1 FROM runs u WHERE u.datasource_id = d.id AND u.trigger = 'reindex'
                                  AND u.state = 'failed' AND coalesce(u.space, ${space}) = ${space})
                   AND NOT EXISTS (SELECT 1 FROM runs u WHERE u.datasource_id = d.id
                                      AND u.state IN ${UNFINISHED_STATES}))::float8 AS "documentsFailed",
                 coalesce(sum(r.characters), 0)::float8 AS characters,
                 coalesce(sum(r.characters) FILTER (WHERE r.space = ${space}), 0)::float8 AS "charactersDone"
            FROM datasources d JOIN runs r ON r.id = d.serving_run_id
           WHERE d.deleted_at IS NULL AND NOT ${IS_GROUP}`,
    );
    return row ?? { documents: 0, documentsDone: 0, documentsFailed: 0, characters: 0, charactersDone: 0 };
  }

  /** The spaces of the serving runs of all organizations. */
  async usedSpaces(): Promise<Set<string>> {
    const rows = await queryRows<{ space: string }>(
      this.dataSource,
      sql`SELECT DISTINCT unnest(spaces) AS space FROM datastores WHERE deleted_at IS NULL`,
    );
    return new Set(rows.map(({ space }) => space));
  }
}

function toSetting({ name, baseUrl, sealedKey }: ModelSettingEntity): ModelSetting {
  return { name, baseUrl, sealedKey };
}
