import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Gains } from '@citewell/retrieval';

/** A test collection: documents by id, and questions with the relevance grades of documents. */
export interface Collection {
  readonly name: string;
  readonly documents: ReadonlyMap<string, string>;
  readonly questions: readonly { readonly text: string; readonly gains: Gains }[];
}

/**
 * The Cranfield collection. A document is title and text. The judgements number the queries 1..225 by
 * position.
 */
export async function loadCranfield(folder: string): Promise<Collection> {
  const [corpus, queries, judgements] = await Promise.all(
    ['cran.all.1400.xml', 'cran.qry.xml', 'cranqrel.trec.txt'].map((name) =>
      readFile(join(folder, name), 'utf8'),
    ),
  );
  const documents = new Map<string, string>();
  for (const [, doc = ''] of (corpus ?? '').matchAll(/<doc>(.*?)<\/doc>/gs)) {
    documents.set(element(doc, 'docno').trim(), `${element(doc, 'title')}\n${element(doc, 'text')}`);
  }
  const gains = new Map<string, Map<string, number>>();
  for (const line of (judgements ?? '').split('\n')) {
    const [query = '', , document = '', grade = '0'] = line.trim().split(/\s+/);
    if (query !== '') gains.set(query, (gains.get(query) ?? new Map()).set(document, Number(grade)));
  }
  const questions = [...(queries ?? '').matchAll(/<title>(.*?)<\/title>/gs)].map(([, text = ''], index) => ({
    text,
    gains: gains.get(String(index + 1)) ?? new Map<string, number>(),
  }));
  return { name: 'cranfield', documents, questions };
}

/** Paragraph `n` has the id `String(n)` and belongs to article `articles[n]`. */
export interface Xquad extends Collection {
  readonly articles: readonly number[];
}

interface Squad {
  readonly data: readonly {
    readonly paragraphs: readonly {
      readonly context: string;
      readonly qas: readonly { readonly question: string }[];
    }[];
  }[];
}

/** One language of XQuAD. A document is a paragraph; the paragraphs are in the order of the articles. */
export async function loadXquad(folder: string, language: string): Promise<Xquad> {
  // SQuAD format. It is not validated: a wrong file fails below with a TypeError.
  const squad = JSON.parse(await readFile(join(folder, `xquad.${language}.json`), 'utf8')) as Squad;
  const paragraphs = squad.data.flatMap((article) => article.paragraphs);
  const articles = squad.data.flatMap((article, index) => article.paragraphs.map(() => index));
  return {
    name: `xquad ${language}`,
    articles,
    documents: new Map(paragraphs.map(({ context }, index) => [String(index), context])),
    questions: paragraphs.flatMap(({ qas }, index) =>
      qas.map(({ question }) => ({ text: question, gains: new Map([[String(index), 1]]) })),
    ),
  };
}

function element(xml: string, name: string): string {
  return new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml)?.[1] ?? '';
}
