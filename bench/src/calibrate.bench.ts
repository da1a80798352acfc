// Measures how well the relevance of the best hit tells answerable questions from others, and which score refuses 5 % of
// them:
//
//   node dist/calibrate.bench.js <FAQ collection> [XQuAD folder] [--half odd|even] [--svg <file>] [--write]
//
// With --write, the thresholds in `packages/retrieval/src/relevance` are moved, so that 5 % of the answerable questions of
// all sets have a relevance below 0.5: those of the search by words alone with EMBEDDING_MODEL=none, otherwise those of the
// built-in model or of neural models.
//
// A question is asked of all documents, and of all but those of its own FAQ (its article, in XQuAD): there it has no
// answer. The embedding model is that of the variables EMBEDDING_MODEL and OPENAI_*. The constants are chosen on the odd
// questions; `--half even` measures them.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { DatastoreQueryItem } from '@citewell/contracts/schemas';
import { marginOf, RELEVANT } from '@citewell/retrieval';
import { upload } from './product/collection-in-product.js';
import { engineVariables } from './product/engine-variables.js';
import { BenchClient } from './product/bench-client.js';
import { REPOSITORY, withStandalone } from './product/standalone-process.js';
import { loadFaqCollection } from './questions/faq-collection.js';
import { type Curve, curveSvg, rocOf } from './questions/roc-curve.js';
import { loadXquad } from './test-collections.js';

/** Hits that an answer is based on. */
const DEPTH = 8;

/** Documents in groups, and questions that only the documents of one group answer. */
interface Answerable {
  readonly name: string;
  readonly documents: readonly { readonly text: string; readonly group: string }[];
  readonly questions: readonly { readonly text: string; readonly group: string }[];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    half: { type: 'string', default: 'odd' },
    svg: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const [faqFolder, xquadFolder] = positionals;
if (faqFolder === undefined) {
  console.error(
    'usage: calibrate.bench.js <FAQ collection> [XQuAD folder] [--half odd|even] [--svg <file>] [--write]',
  );
  process.exit(2);
}
const parity = values.half === 'even' ? 0 : 1;

const collections = [await faqs(faqFolder)];
if (xquadFolder !== undefined) {
  for (const language of ['en', 'de', 'zh']) collections.push(await xquad(xquadFolder, language));
}
const curves: Curve[] = [];
await withStandalone({ variables: engineVariables() }, async ({ url }) => {
  const client = new BenchClient(url);
  for (const collection of collections)
    curves.push({ name: collection.name, ...(await measure(client, collection)) });
  client.close();
});
console.table(
  Object.fromEntries(
    curves.map(({ name, answerable, unanswerable }) => {
      const share = (scores: readonly number[]): string =>
        (scores.filter((score) => score >= RELEVANT).length / scores.length).toFixed(3);
      const roc = rocOf(answerable, unanswerable);
      return [
        name,
        {
          questions: answerable.length,
          AUROC: roc.area.toFixed(3),
          'recognised if 5 % are refused': roc.recognised.toFixed(3),
          'score there': roc.threshold.toFixed(3),
          [`answerable ≥ ${RELEVANT}`]: share(answerable),
          [`unanswerable ≥ ${RELEVANT}`]: share(unanswerable),
        },
      ];
    }),
  ),
);
if (values.svg !== undefined) await writeFile(values.svg, curveSvg(curves));
if (values.write) await moveThresholds(curves);

async function faqs(folder: string): Promise<Answerable> {
  const { documents, questions } = await loadFaqCollection(folder);
  const groupOf = (document: string): string => document.split('-')[0] ?? '';
  return {
    name: 'FAQ',
    documents: Array.from(documents, ([name, text]) => ({ text, group: groupOf(name) })),
    questions: questions.map(({ question, document }) => ({ text: question, group: groupOf(document) })),
  };
}

async function xquad(folder: string, language: string): Promise<Answerable> {
  const { name, documents, questions, articles } = await loadXquad(folder, language);
  const groupOf = (id: string | undefined): string => String(articles[Number(id)]);
  return {
    name,
    documents: Array.from(documents, ([id, text]) => ({ text, group: groupOf(id) })),
    questions: questions.map(({ text, gains }) => ({ text, group: groupOf([...gains.keys()][0]) })),
  };
}

/** The score of the best hit of each question, with its own group and without it. */
async function measure(
  client: BenchClient,
  { name, documents, questions }: Answerable,
): Promise<Omit<Curve, 'name'>> {
  const datastoreId = await client.createDatastore();
  const texts = documents.map(({ text }) => text);
  const ids = await upload(client, datastoreId, texts, name);
  const best = async (query: string, filters?: object): Promise<number> => {
    const hits = await client.json<DatastoreQueryItem[]>('POST', `datastores/${datastoreId}/query`, {
      query,
      topK: DEPTH,
      ...(filters && { filters }),
    });
    return hits[0]?.score ?? 0;
  };
  const answerable: number[] = [];
  const unanswerable: number[] = [];
  for (const { text, group } of questions.filter((_, n) => n % 2 === parity)) {
    answerable.push(await best(text));
    const others = ids.filter((_, n) => documents[n]?.group !== group);
    unanswerable.push(await best(text, { datasource_ids: others }));
  }
  return { answerable, unanswerable };
}

/** Moves all thresholds of a search by the same distance, and prints it. */
async function moveThresholds(measured: readonly Curve[]): Promise<void> {
  const file = join(REPOSITORY, 'packages/retrieval/src/relevance/thresholds.json');
  const thresholds = JSON.parse(await readFile(file, 'utf8')) as Record<string, Record<string, number>>;
  const searches: Record<string, string> = { none: 'byWords', builtin: 'byWordsAndMeaning' };
  const search = searches[engineVariables()['EMBEDDING_MODEL'] ?? 'builtin'] ?? 'byWordsAndNeuralMeaning';
  const all = measured.flatMap(({ answerable }) => answerable);
  const distance = marginOf(rocOf(all, []).threshold);
  console.log(`The thresholds of ${search} move by ${distance.toFixed(2)}.`);
  const moved = Object.entries(thresholds[search] ?? {}).map(([name, threshold]) => [
    name,
    Math.round((threshold + distance) * 100) / 100,
  ]);
  const content = { ...thresholds, [search]: Object.fromEntries(moved) };
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`);
}
