import { createDataSource, type DataSource } from '@citewell/database';
import type { VectorStore } from '@citewell/vector-store';
import type { Deployment, Engines } from '../../deployments/deployment.js';
import { untilRecovered } from '../../client/tenant.js';

/** Contents of the stores, and every inconsistency between them. */
interface Inventory {
  datasources: number;
  points: number;
  blobs: number;
  /** Uncommitted blob rows. Cut-off uploads leave them; they are collected after a day. */
  abandonedBlobs: number;
  problems: string[];
}

interface ServingRow {
  id: string;
  datasource_id: string;
  status: string;
  chunks: number | null;
  text_blob: boolean;
  outline_blob: boolean;
  content_key: string | null;
}

/** Waits until all runs and purges have ended, then compares the stores with the database. */
export async function takeInventory(
  deployment: Pick<Deployment, 'engines'>,
  limitMs = 180_000,
): Promise<Inventory> {
  const engines = await deployment.engines();
  const dataSource = await createDataSource({
    url: engines.databaseUrl,
    poolSize: 2,
    applicationName: 'citewell-test',
  }).initialize();
  try {
    // The vectors of an embedding model follow after a document is synched.
    const unfinished = `SELECT (SELECT count(*)::int FROM purges) +
      (SELECT count(*)::int FROM runs WHERE state IN ('pending', 'queued', 'active', 'waiting')) AS n`;
    await untilRecovered(
      async () => (await count(dataSource, unfinished)) === 0,
      'runs and purges to end',
      limitMs,
    );
    return await compare(dataSource, engines);
  } finally {
    await dataSource.destroy();
    await engines.vectorStore.close();
    await engines.largeBlobs.close();
  }
}

async function compare(dataSource: DataSource, { vectorStore, largeBlobs }: Engines): Promise<Inventory> {
  const serving = await dataSource.query<ServingRow[]>(
    `SELECT r.id, d.id AS datasource_id, d.status, (r.counts->>'chunks')::int AS chunks, r.content_key,
            EXISTS (SELECT 1 FROM blobs b WHERE b.run_id = r.id AND b.key LIKE '%/text' AND b.committed) AS text_blob,
            EXISTS (SELECT 1 FROM blobs b WHERE b.run_id = r.id AND b.key LIKE '%/outline' AND b.committed) AS outline_blob
       FROM datasources d JOIN runs r ON r.id = d.serving_run_id
      WHERE d.deleted_at IS NULL AND d.type NOT IN ('web_site', 'source') AND d.mime_type IS DISTINCT FROM 'application/zip'`,
  );
  const problems: string[] = [];
  const { points, total } = await pointsByRun(vectorStore, problems);
  for (const run of serving) {
    if (points.get(run.id) !== run.chunks)
      problems.push(`run ${run.id} serves ${run.chunks} chunks, the store has ${points.get(run.id) ?? 0}`);
    if (!run.text_blob || !run.outline_blob)
      problems.push(`run ${run.id} serves without its text or outline`);
    points.delete(run.id);
  }
  for (const [run, orphans] of points) problems.push(`${orphans} points of run ${run}, which is not serving`);

  const rows = await dataSource.query<
    { key: string; committed: boolean; datasource: boolean; run: boolean }[]
  >(
    `SELECT b.key, b.committed, d.id IS NOT NULL AS datasource, b.run_id IS NULL OR r.id IS NOT NULL AS run
       FROM blobs b LEFT JOIN datasources d ON d.id = b.datasource_id LEFT JOIN runs r ON r.id = b.run_id`,
  );
  const small = await dataSource.query<{ key: string }[]>('SELECT key FROM small_blobs');
  const stored = new Set(small.map(({ key }) => key));
  for await (const { key } of largeBlobs.list('')) stored.add(key);
  const known = new Set(rows.map((row) => row.key));
  for (const key of stored) if (!known.has(key)) problems.push(`blob ${key} has no row`);
  for (const row of rows.filter(({ committed }) => committed)) {
    if (!stored.has(row.key)) problems.push(`row of ${row.key} has no blob`);
    if (!row.datasource || !row.run) problems.push(`blob ${row.key} has no datasource or run`);
  }
  for (const key of await unreferencedContents(dataSource)) problems.push(`content ${key} is not referenced`);
  problems.push(...(await inconsistentRows(dataSource)));
  const abandonedBlobs = rows.filter((row) => !row.committed).length;
  return { datasources: serving.length, points: total, blobs: stored.size, abandonedBlobs, problems };
}

async function pointsByRun(
  vectorStore: VectorStore,
  problems: string[],
): Promise<{ points: Map<string, number>; total: number }> {
  const points = new Map<string, number>();
  let total = 0;
  for (const space of await vectorStore.listSpaces()) {
    for await (const run of vectorStore.scanRuns(space)) {
      if (points.has(run.runId)) problems.push(`run ${run.runId} has points in two spaces`);
      points.set(run.runId, run.points);
      total += run.points;
    }
  }
  return { points, total };
}

/** Keys of original files that are no longer the content of any datasource. */
async function unreferencedContents(dataSource: DataSource): Promise<string[]> {
  const rows = await dataSource.query<{ key: string }[]>(
    `SELECT b.key FROM blobs b WHERE b.run_id IS NULL AND b.committed
        AND NOT EXISTS (SELECT 1 FROM datasources d WHERE d.content_key = b.key)
        AND NOT EXISTS (SELECT 1 FROM runs r JOIN datasources d ON d.serving_run_id = r.id WHERE r.content_key = b.key)`,
  );
  return rows.map((row) => row.key);
}

async function inconsistentRows(dataSource: DataSource): Promise<string[]> {
  const problems: string[] = [];
  const checks: Record<string, string> = {
    'deleted datasources still exist': `SELECT count(*)::int AS n FROM datasources WHERE deleted_at IS NOT NULL`,
    'deleted datastores still exist': `SELECT count(*)::int AS n FROM datastores WHERE deleted_at IS NOT NULL`,
    'datasources synched without a serving run': `SELECT count(*)::int AS n FROM datasources WHERE status = 'synched' AND serving_run_id IS NULL`,
    'pages without a site': `SELECT count(*)::int AS n FROM datasources p WHERE p.group_id IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM datasources s WHERE s.id = p.group_id)`,
    'pages missing from the frontier': `SELECT count(*)::int AS n FROM datasources p WHERE p.type = 'web_page' AND p.group_id IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM crawl_urls c WHERE c.page_id = p.id AND c.site_id = p.group_id)`,
    'runs with points are not serving': `SELECT count(*)::int AS n FROM runs r WHERE r.space IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM datasources d WHERE d.serving_run_id = r.id)`,
    'revisions are duplicated': `SELECT count(*)::int AS n FROM (SELECT 1 FROM runs WHERE revision IS NOT NULL
        AND trigger <> 'reindex' GROUP BY datasource_id, revision HAVING count(*) > 1) doubled`,
    'organizations with wrong stored characters': `SELECT count(*)::int AS n FROM organizations o WHERE o.stored_characters <>
        (SELECT coalesce(sum(r.characters), 0) FROM datasources d JOIN runs r ON r.id = d.serving_run_id
          WHERE d.organization_id = o.id AND d.deleted_at IS NULL)`,
  };
  for (const [problem, sql] of Object.entries(checks)) {
    const found = await count(dataSource, sql);
    if (found > 0) problems.push(`${found} ${problem}`);
  }
  return problems;
}

async function count(dataSource: DataSource, sql: string): Promise<number> {
  const [row] = await dataSource.query<{ n: number }[]>(sql);
  return row?.n ?? 0;
}
