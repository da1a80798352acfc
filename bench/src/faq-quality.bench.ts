// Measures how often the product finds the answer to questions of FAQs, through its API, compared with plain BM25:
//
//   node dist/faq-quality.bench.js <collection> [--half odd|even] [--checkout <folder> ...]
//
// `faq-collection.bench.js` makes the collection. The variables EMBEDDING_MODEL, EMBEDDING_DIMENSIONS and OPENAI_* are
// passed to the product. With --checkout, other compiled checkouts are measured in the same run. Parameters were tuned on
// the odd questions, so the even ones are the default.
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { parseDocument } from '@citewell/documents';
import { engineVariables } from './product/engine-variables.js';
import { REPOSITORY, withStandalone } from './product/standalone-process.js';
import { AnswerKey, loadFaqCollection } from './questions/faq-collection.js';
import { measureHits, type Search } from './questions/hit-rates.js';
import { plainBm25 } from './questions/plain-bm25.js';
import { uploadFiles } from './questions/product-search.js';
import { BenchClient } from './product/bench-client.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    half: { type: 'string', default: 'even' },
    checkout: { type: 'string', multiple: true, default: [] },
  },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error('usage: faq-quality.bench.js <collection> [--half odd|even] [--checkout <folder> ...]');
  process.exit(2);
}

const collection = await loadFaqCollection(folder);
const key = await AnswerKey.of(collection.documents);
const parity = values.half === 'odd' ? 1 : 0;
const questions = collection.questions.filter((_, n) => n % 2 === parity);
console.log(`${questions.length} questions, ${collection.documents.size} documents`);

const rows: Record<string, Record<string, string>> = {
  'plain BM25': await measure(plainBm25(await parsed())),
};
for (const repository of [...values.checkout, REPOSITORY]) {
  await withStandalone({ repository, variables: engineVariables() }, async ({ url }) => {
    const client = new BenchClient(url);
    const files = Array.from(
      collection.documents,
      ([name, markdown]) => [name, Buffer.from(markdown)] as const,
    );
    const { search, byWords, byMeaning } = await uploadFiles(client, files);
    rows[repository === REPOSITORY ? 'this checkout' : basename(repository)] = await measure(search);
    if (repository === REPOSITORY) {
      rows['by words alone'] = await measure(byWords);
      rows['by meaning alone'] = await measure(byMeaning);
    }
    client.close();
  });
}
console.table(rows);

async function parsed() {
  return Promise.all(
    Array.from(collection.documents, async ([name, markdown]) => {
      const bytes = new TextEncoder().encode(markdown);
      return [name, await parseDocument(bytes, { fileType: 'text/markdown' })] as const;
    }),
  );
}

function measure(search: Search): Promise<Record<string, string>> {
  return measureHits(search, questions, (question, passage) => key.isRight(question, passage));
}
