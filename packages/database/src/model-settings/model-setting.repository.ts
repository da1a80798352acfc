import type { DataSource } from 'typeorm';
import { queryRow, queryRows, sql } from '../connection/sql.js';
import { UNFINISHED_STATES } from '../runs/unfinished.js';
import { ModelSettingEntity } from './model-setting.entity.js';

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

/** The models that were chosen while the service runs. They belong to the installation, not to an organization. */
export class ModelSettingRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The choices by kind, such as `chat`. */
  async all(): Promise<Map<string, ModelSetting>> {
    const rows = await this.dataSource.getRepository(ModelSettingEntity).find();
    return new Map(rows.map(({ kind, name, baseUrl, sealedKey }) => [kind, { name, baseUrl, sealedKey }]));
  }

  async store(kind: string, { name, baseUrl, sealedKey }: ModelSetting): Promise<void> {
    await this.dataSource
      .getRepository(ModelSettingEntity)
      .upsert({ kind, name, baseUrl, sealedKey }, { conflictPaths: ['kind'] });
  }

  async remove(kind: string): Promise<void> {
    await this.dataSource.getRepository(ModelSettingEntity).delete({ kind });
  }

  /** Counts the documents of all organizations. */
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
            FROM datasources d JOIN runs r ON r.id = d.serving_run_id WHERE d.deleted_at IS NULL`,
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
