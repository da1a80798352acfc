import pg from 'pg';
import { z } from 'zod';
import type { Deployment } from '../deployments/deployment.js';

/** Tables that refer to a datasource, with the column that does. */
const TABLES = { datasources: 'id', runs: 'datasource_id', blobs: 'datasource_id', purges: 'target_id' };

/**
 * Descriptions of all rows, blobs and points that still belong to a datasource; empty when it is fully
 * deleted.
 */
export async function leftoversOf(deployment: Deployment, datasourceId: string): Promise<string[]> {
  const [rows, blobs, points] = await Promise.all([
    rowsOf(deployment, datasourceId),
    blobKeysContaining(deployment, datasourceId),
    pointsOf(deployment, datasourceId),
  ]);
  return [...rows, ...blobs, ...points];
}

/** Number of rows (datasources and blobs) and of stored contents of blobs of an organization. */
export async function countStored(
  deployment: Deployment,
  organizationId: string,
): Promise<{ rows: number; blobs: number }> {
  const [row] = await query(
    deployment,
    `SELECT (SELECT count(*) FROM datasources WHERE organization_id = $1)
          + (SELECT count(*) FROM blobs WHERE organization_id = $1) AS n`,
    [organizationId],
  );
  const keys = await blobKeysContaining(deployment, organizationId);
  return { rows: Number(row?.n), blobs: keys.length };
}

async function rowsOf(deployment: Deployment, datasourceId: string): Promise<string[]> {
  const counts = await Promise.all(
    Object.entries(TABLES).map(async ([table, column]) => {
      const rows = await query(deployment, `SELECT count(*) AS n FROM ${table} WHERE ${column} = $1`, [
        datasourceId,
      ]);
      return Number(rows[0]?.n) > 0 ? `rows of ${table}` : '';
    }),
  );
  return counts.filter((count) => count !== '');
}

/** Keys of blobs with `id` as a segment. */
async function blobKeysContaining(deployment: Deployment, id: string): Promise<string[]> {
  const keys = (await query(deployment, 'SELECT key FROM small_blobs', [])).map(({ key }) => String(key));
  for await (const { key } of deployment.largeBlobs.list('')) keys.push(key);
  return keys.filter((key) => key.split('/').includes(id));
}

async function pointsOf({ qdrantUrl }: Deployment, datasourceId: string): Promise<string[]> {
  if (qdrantUrl === null) return [];
  const { result } = collectionsSchema.parse(await (await fetch(`${qdrantUrl}/collections`)).json());
  const found = await Promise.all(
    result.collections.map(async ({ name }) => {
      const response = await fetch(`${qdrantUrl}/collections/${name}/points/count`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          exact: true,
          filter: { must: [{ key: 'datasource_id', match: { value: datasourceId } }] },
        }),
      });
      const { count } = countSchema.parse(await response.json()).result;
      return count > 0 ? `${count} points in ${name}` : '';
    }),
  );
  return found.filter((points) => points !== '');
}

const collectionsSchema = z.object({
  result: z.object({ collections: z.array(z.object({ name: z.string() })) }),
});
const countSchema = z.object({ result: z.object({ count: z.number() }) });

/** Runs a statement in the deployment's database, on a connection of its own. */
export async function query(
  { databaseUrl }: Pick<Deployment, 'databaseUrl'>,
  text: string,
  values: readonly unknown[],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}
