// Measures whether the product finds files that differ by their names alone, through its API:
//
//   node dist/named-files.bench.js [--failures]
//
// The files are minutes, invoices, manuals, price lists, contracts or offers, CVs and versions of a policy in three languages. A
// file is asked for as people do ("the March 2024 minutes"), and by its exact name.
import { parseArgs } from 'node:util';
import { BenchClient } from './product/bench-client.js';
import { engineVariables } from './product/engine-variables.js';
import { withStandalone } from './product/standalone-process.js';
import { type NamedFile, namedFiles } from './questions/named-files.js';

/** From this score on, a passage is relevant. */
const RELEVANT = 0.5;

const { values } = parseArgs({ options: { failures: { type: 'boolean', default: false } } });
const rows: Record<string, Record<string, string | number>> = {};
await withStandalone({ variables: engineVariables() }, async ({ url }) => {
  const client = new BenchClient(url);
  for (const [language, files] of Object.entries(namedFiles())) rows[language] = await measure(client, files);
  client.close();
});
console.table(rows);

async function measure(
  client: BenchClient,
  files: readonly NamedFile[],
): Promise<Record<string, string | number>> {
  const datastoreId = await client.createDatastore();
  const ids = await client.createTexts(
    datastoreId,
    files.map(({ name, text }) => ({ name, text })),
  );
  await client.waitUntilFinished(datastoreId);
  await client.waitUntilEmbedded(datastoreId);
  const counts = { asked: 0, first: 0, relevantFirst: 0, exact: 0, relevant: 0 };
  for (const [n, { name, queries }] of files.entries()) {
    for (const query of queries) {
      const [hit] = await client.query(datastoreId, query, { topK: 3 });
      counts.asked += 1;
      if (hit?.datasource_id === ids[n]) counts.first += 1;
      if (hit?.datasource_id === ids[n] && hit !== undefined && hit.score >= RELEVANT)
        counts.relevantFirst += 1;
      else report(query, name, hit?.datasource_name, hit?.score);
    }
    const [hit] = await client.query(datastoreId, name, { topK: 3 });
    if (hit?.datasource_id === ids[n]) counts.exact += 1;
    if (hit?.datasource_id === ids[n] && hit !== undefined && hit.score >= RELEVANT) counts.relevant += 1;
    else report(name, name, hit?.datasource_name, hit?.score);
  }
  return {
    files: files.length,
    'hit@1': share(counts.first, counts.asked),
    'hit@1 and relevant': share(counts.relevantFirst, counts.asked),
    'hit@1, exact name': share(counts.exact, files.length),
    'exact name relevant': share(counts.relevant, files.length),
  };
}

function share(found: number, all: number): string {
  return (found / all).toFixed(3);
}

function report(query: string, wanted: string, found = 'nothing', score = 0): void {
  if (values.failures) console.log(`${query} | wanted ${wanted} | found ${found} ${score.toFixed(3)}`);
}
