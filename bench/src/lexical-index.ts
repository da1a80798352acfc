import {
  analyze,
  AnalyzedQuestion,
  encodeDocumentTerms,
  encodeQueryTerms,
  termId,
} from '@citewell/retrieval';

interface Posting {
  readonly document: number;
  readonly weight: number;
}

/**
 * Exact BM25 in memory. The score of a term is document weight × idf × query weight, as in every vector
 * store.
 */
export class LexicalIndex {
  private readonly ids: string[];
  private readonly postings = new Map<number, Posting[]>();

  /** @param queries `plain`: every term of a question weighs 1, as in Lucene. Default: as the product weighs them */
  constructor(
    documents: ReadonlyMap<string, string>,
    private readonly queries: 'plain' | 'product' = 'product',
  ) {
    this.ids = [...documents.keys()];
    [...documents.values()].forEach((text, document) => {
      const { indices, values } = encodeDocumentTerms(text);
      indices.forEach((term, i) => {
        const list = this.postings.get(term) ?? [];
        list.push({ document, weight: values[i] ?? 0 });
        this.postings.set(term, list);
      });
    });
  }

  /** The documents with the highest scores; equal scores in the order of indexing. */
  search(question: string | AnalyzedQuestion, limit: number): { id: string; score: number }[] {
    const scores = new Map<number, number>();
    const { indices, values } =
      this.queries === 'plain'
        ? plainTerms(textOf(question))
        : encodeQueryTerms(typeof question === 'string' ? new AnalyzedQuestion(question) : question);
    indices.forEach((term, i) => {
      const list = this.postings.get(term) ?? [];
      const idf = Math.log(1 + (this.ids.length - list.length + 0.5) / (list.length + 0.5));
      for (const { document, weight } of list) {
        scores.set(document, (scores.get(document) ?? 0) + weight * idf * (values[i] ?? 0));
      }
    });
    return [...scores]
      .sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || a - b)
      .slice(0, limit)
      .map(([document, score]) => ({ id: this.ids[document] ?? '', score }));
  }
}

const textOf = (question: string | AnalyzedQuestion): string =>
  typeof question === 'string' ? question : question.text;

function plainTerms(question: string): { indices: number[]; values: number[] } {
  const indices = analyze(question).map(termId);
  return { indices, values: indices.map(() => 1) };
}
