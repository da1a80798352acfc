// Makes a test collection of natural questions with known answers from web pages of FAQs:
//
//   node dist/faq-collection.bench.js <folder of folders with HTML pages> <output folder>
//
// docs/retrieval.md says where the pages come from. See `questions/faq-collection.ts` for the output.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseDocument } from '@citewell/documents';
import { lettersOf, splitFaq, type FaqQuestion } from './questions/split-faq.js';

const [source, target] = process.argv.slice(2);
if (source === undefined || target === undefined) {
  console.error('usage: faq-collection.bench.js <folder of folders with HTML pages> <output folder>');
  process.exit(2);
}

const MARKDOWN = { fileType: 'text/markdown' } as const;
const questions: FaqQuestion[] = [];
await mkdir(join(target, 'documents'), { recursive: true });
for (const entry of await readdir(source, { withFileTypes: true })) {
  if (!entry.isDirectory()) continue;
  const before = questions.length;
  for (const file of (await readdir(join(source, entry.name))).sort()) {
    const bytes = new Uint8Array(await readFile(join(source, entry.name, file)));
    const name = `${entry.name}-${basename(file, '.html')}.md`;
    const faq = splitFaq(await parseDocument(bytes, { fileType: 'text/html' }), name);
    // Mark-up in the text of a page can hide parts of it in Markdown.
    const letters = lettersOf((await parseDocument(new TextEncoder().encode(faq.markdown), MARKDOWN)).text);
    const found = faq.questions.filter(({ answer }) => letters.includes(answer));
    if (found.length === 0) continue;
    questions.push(...found);
    await writeFile(join(target, 'documents', name), faq.markdown);
  }
  console.log(`${entry.name}: ${questions.length - before} questions`);
}
await writeFile(join(target, 'questions.json'), JSON.stringify(questions, null, 1));
