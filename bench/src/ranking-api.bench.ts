// Measures the ranking quality of the product through its API on public test collections, and that rankings do not
// depend on the documents of other organizations:
//
//   node dist/ranking-api.bench.js <cranfield folder> [xquad folder] [--others 20] [--documents 100]
//
// The folders are those of `lexical-quality.bench.js`. The variables EMBEDDING_MODEL, OPENAI_* and QDRANT_* are passed to
// the product. Parameters were not chosen on these collections. Exits with 1 when an nDCG@10 of Cranfield is below its
// floor.
import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { BenchClient } from './product/bench-client.js';
import { CollectionInProduct, type Hits, type Quality, upload } from './product/collection-in-product.js';
import { GeneratedText } from './product/generated-text.js';
import { engineVariables } from './product/engine-variables.js';
import { ADMIN_KEY, withStandalone } from './product/standalone-process.js';
import { loadCranfield, loadXquad } from './test-collections.js';

/** Lowest acceptable nDCG@10. */
const FLOOR = 0.375;
const LANGUAGES = ['en', 'zh', 'de', 'ru', 'ar'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    others: { type: 'string', default: '20' },
    documents: { type: 'string', default: '100' },
  },
});
const [cranfieldFolder, xquadFolder] = positionals;
if (cranfieldFolder === undefined) {
  console.error(
    'usage: ranking-api.bench.js <cranfield folder> [xquad folder] [--others 20] [--documents 100]',
  );
  process.exit(2);
}

await withStandalone({ variables: engineVariables() }, async ({ url }) => {
  const admin = new BenchClient(url, ADMIN_KEY);
  const cranfield = await CollectionInProduct.create(admin, await loadCranfield(cranfieldFolder));
  const rows: Record<string, Quality> = {};
  const before = await cranfield.queryAll();
  rows['cranfield'] = cranfield.qualityOf(before);
  for (const [name, parity] of [
    ['odd', 1],
    ['even', 0],
  ] as const)
    rows[`cranfield, ${name} questions`] = cranfield.qualityOf(before, (n) => n % 2 === parity);
  rows['cranfield, exact BM25 in memory'] = cranfield.exactQuality();
  if (xquadFolder !== undefined) {
    for (const language of LANGUAGES) {
      const xquad = await CollectionInProduct.create(admin, await loadXquad(xquadFolder, language));
      rows[`xquad ${language}`] = xquad.qualityOf(await xquad.queryAll());
      rows[`xquad ${language}, exact BM25 in memory`] = xquad.exactQuality();
    }
  }
  console.table(rows);
  if ((rows['cranfield']?.['nDCG@10'] ?? 0) < FLOOR) {
    console.log(`nDCG@10 of Cranfield is below ${FLOOR}`);
    process.exitCode = 1;
  }

  await fillOtherOrganizations(admin, cranfield.frequentWords());
  const again = await cranfield.queryAll();
  assert.deepEqual(again.map(withScores), before.map(withScores));
  console.log(`${again.length} rankings are unchanged, scores included`);
  admin.close();
});

function withScores(hits: Hits): [id: string, score: number][] {
  return hits.map(({ chunk_id: id, score }) => [id, score]);
}

async function fillOtherOrganizations(admin: BenchClient, words: readonly string[]): Promise<void> {
  const others = Number(values.others);
  for (let n = 0; n < others; n++) {
    const client = await admin.createOrganization(`Other ${n}`);
    const generated = new GeneratedText(100 + n, words);
    const paragraphs = Array.from({ length: Number(values.documents) }, () => generated.paragraph());
    await upload(client, await client.createDatastore(), paragraphs);
    client.close();
  }
  console.log(`${others} other organizations were filled with ${values.documents} documents each`);
}
