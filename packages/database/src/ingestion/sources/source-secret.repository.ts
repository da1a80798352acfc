import type { DataSource } from 'typeorm';
import { execute, queryRows, sql } from '../../connection/sql.js';

/** The encrypted secrets of sources, which are stored and deleted with their datasources. */
export class SourceSecretRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Replaces a secret that the source itself has renewed. Nothing happens if somebody has replaced it meanwhile.
   *
   * @param former the encrypted secret that was in use
   */
  async replace(
    source: { readonly organizationId: string; readonly id: string },
    name: string,
    former: string,
    sealed: string,
  ): Promise<void> {
    await execute(
      this.dataSource,
      sql`UPDATE datasources SET sealed_secrets = jsonb_set(sealed_secrets, ${[name]}::text[], to_jsonb(${sealed}::text))
           WHERE organization_id = ${source.organizationId} AND id = ${source.id} AND sealed_secrets->>${name} = ${former}`,
    );
  }

  /** Whether any source has a secret. */
  async hasSecrets(): Promise<boolean> {
    const rows = await queryRows(
      this.dataSource,
      sql`SELECT 1 FROM datasources WHERE sealed_secrets <> '{}' LIMIT 1`,
    );
    return rows.length > 0;
  }
}
