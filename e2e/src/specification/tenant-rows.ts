import pg from 'pg';
import type { Deployment } from '../deployments/deployment.js';

/** Rows of uploads that were cut off by the deletion are collected a day later. */
const COLLECTED_LATER = ['blobs'];

/** Small blobs of an organization, except those of uploads that were cut off. */
const SMALL_BLOBS = `SELECT 1 FROM small_blobs s WHERE starts_with(key, $1)
  AND NOT EXISTS (SELECT 1 FROM blobs b WHERE b.key = s.key AND NOT b.committed) LIMIT 1`;

/** Names of the tables that still have rows of an organization, `organizations` included. */
export async function tablesWithRowsOf(
  { databaseUrl }: Deployment,
  organizationId: string,
): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string; owner: string }>(
      `SELECT table_name AS name, column_name AS owner FROM information_schema.columns
        WHERE table_schema = 'public'
          AND (column_name = 'organization_id' OR (table_name = 'organizations' AND column_name = 'id'))`,
    );
    const found: string[] = [];
    for (const { name, owner } of tables.filter((table) => !COLLECTED_LATER.includes(table.name))) {
      const { rowCount } = await client.query(`SELECT 1 FROM ${name} WHERE ${owner} = $1 LIMIT 1`, [
        organizationId,
      ]);
      if (rowCount) found.push(name);
    }
    if ((await client.query(SMALL_BLOBS, [organizationId])).rowCount) found.push('small_blobs');
    return found;
  } finally {
    await client.end();
  }
}
