// Measures the ranking quality of the analyzer and the sparse encoding, and how well relevance is detected
// without a model, on public test collections:
//
//   node dist/lexical-quality.bench.js <cranfield folder> [xquad folder]
//
// The Cranfield folder contains cran.all.1400.xml, cran.qry.xml and cranqrel.trec.txt, the XQuAD folder
// xquad.<language>.json. Exits with 1 when an nDCG@10 is below its floor.
import {
  AnalyzedQuestion,
  averagePrecision,
  encodeDocumentTerms,
  hitAt,
  ndcgAt,
  QuestionCoverage,
  RELEVANT,
  recallAt,
  relevanceOf,
} from '@citewell/retrieval';
import { LexicalIndex } from './lexical-index.js';
import { loadCranfield, loadXquad, type Collection, type Xquad } from './test-collections.js';

const DEPTH = 1_000;
/** Lowest acceptable nDCG@10. */
const CRANFIELD_FLOOR = 0.375;
const XQUAD_FLOORS = { en: 0.955, zh: 0.955, de: 0.915, ru: 0.871, ar: 0.89 };
/** Hits per question that the relevance test judges: as many as an answer uses. */
const JUDGED_HITS = 5;

function printRanking({ name, documents, questions }: Collection, floor: number): void {
  const index = new LexicalIndex(documents);
  const sums = { ndcg: 0, map: 0, recall: 0, hit: 0 };
  for (const { text, gains } of questions) {
    const ranking = index.search(text, DEPTH).map(({ id }) => id);
    sums.ndcg += ndcgAt(10, ranking, gains);
    sums.map += averagePrecision(ranking, gains);
    sums.recall += recallAt(10, ranking, gains);
    sums.hit += hitAt(1, ranking, gains);
  }
  const means = Object.values(sums).map((sum) => sum / questions.length);
  const [ndcg = 0] = means;
  console.log(
    name.padEnd(10),
    ...means.map((mean) => mean.toFixed(4).padStart(8)),
    ndcg < floor ? `below ${floor}` : '',
  );
  if (ndcg < floor) process.exitCode = 1;
}

/**
 * Indexes every second article and prints the share of questions with a relevant hit: of questions about
 * indexed articles (should be high) and about the other articles (should be low).
 */
function printRelevance({ name, documents, questions, articles }: Xquad): void {
  const isIndexed = (id: string): boolean => (articles[Number(id)] ?? 0) % 2 === 0;
  const index = new LexicalIndex(new Map([...documents].filter(([id]) => isIndexed(id))));
  const answerable = { asked: 0, found: 0 };
  const absent = { asked: 0, found: 0 };
  for (const { text, gains } of questions) {
    const coverage = new QuestionCoverage(new AnalyzedQuestion(text));
    const counts = [...gains.keys()].some(isIndexed) ? answerable : absent;
    counts.asked++;
    const hits = index.search(text, JUDGED_HITS);
    const isFound = hits.some(
      ({ id, score }) =>
        relevanceOf({
          coverage: coverage.of(encodeDocumentTerms(documents.get(id) ?? '').indices),
          bm25: score,
        }) >= RELEVANT,
    );
    if (isFound) counts.found++;
  }
  const shares = [answerable, absent].map(({ found, asked }) => (found / asked).toFixed(3));
  console.log(name.padEnd(10), ...shares.map((share) => share.padStart(11)));
}

const [cranfieldFolder, xquadFolder] = process.argv.slice(2);
if (cranfieldFolder === undefined) {
  console.error('usage: lexical-quality.bench.js <cranfield folder> [xquad folder]');
  process.exit(2);
}
console.log('set         nDCG@10      MAP     R@10    Hit@1');
printRanking(await loadCranfield(cranfieldFolder), CRANFIELD_FLOOR);
if (xquadFolder !== undefined) {
  const sets: Xquad[] = [];
  for (const [language, floor] of Object.entries(XQUAD_FLOORS)) {
    const set = await loadXquad(xquadFolder, language);
    sets.push(set);
    printRanking(set, floor);
  }
  console.log('\nrelevant    answerable      absent');
  for (const set of sets) printRelevance(set);
}
