// Measures which questions are taken for one about everything, and what each list of words for it is worth:
//
//   node dist/overview-questions.bench.js
//
// The questions are those of `bench/overview-questions`, in nine languages. The files `-unseen` were written after the lists.
//
// everything   questions that an overview of the documents answers: more are better
// facts        questions for a fact that name documents: an overview instead of the fact is wrong. Fewer are better
//
// A list is emptied while its module is loaded, in a process of its own.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { emptyWordList, wordLists } from './questions/word-lists.js';

const MODULE = 'answers/whole-document-question.js';
const FILES = ['everything', 'everything-unseen', 'facts', 'facts-unseen'];

const [without] = process.argv.slice(2);
if (without === undefined) {
  const retrieval = dirname(createRequire(import.meta.url).resolve('@citewell/retrieval'));
  const rows: Record<string, unknown> = { 'all lists': figuresWithout('none') };
  for (const { name, bytes } of wordLists(join(retrieval, MODULE)))
    rows[`without ${name}`] = { bytes, ...figuresWithout(name) };
  console.table(rows);
} else {
  emptyWordList(`/${MODULE}`, without);
  process.stdout.write(JSON.stringify(await measure()));
}

function figuresWithout(list: string): Record<string, string> {
  const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), list], { encoding: 'utf8' });
  if (child.status !== 0) throw new Error(`${list}: ${child.stderr}`);
  return JSON.parse(child.stdout) as Record<string, string>;
}

async function measure(): Promise<Record<string, string>> {
  const { isAboutEverything } = await import('@citewell/retrieval');
  return Object.fromEntries(
    FILES.map((file) => {
      const path = new URL(`../overview-questions/${file}.txt`, import.meta.url);
      const questions = readFileSync(path, 'utf8').trim().split('\n');
      return [
        file,
        `${questions.filter((question) => isAboutEverything(question, true)).length} of ${questions.length}`,
      ];
    }),
  );
}
