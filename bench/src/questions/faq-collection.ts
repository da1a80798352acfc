import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocument } from '@citewell/documents';
import { type FaqQuestion, lettersOf } from './split-faq.js';

/** A collection that `faq-collection.bench.ts` has made. */
export interface FaqCollection {
  /** Markdown by file name. */
  readonly documents: ReadonlyMap<string, string>;
  readonly questions: readonly FaqQuestion[];
}

/** A passage that a search has found. */
export interface FoundText {
  readonly document: string;
  readonly text: string;
}

export async function loadFaqCollection(folder: string): Promise<FaqCollection> {
  const names = (await readdir(join(folder, 'documents'))).sort();
  const documents = await Promise.all(
    names.map(async (name) => [name, await readFile(join(folder, 'documents', name), 'utf8')] as const),
  );
  // Written by `faq-collection.bench.ts`, and not validated.
  const questions = JSON.parse(await readFile(join(folder, 'questions.json'), 'utf8')) as FaqQuestion[];
  return { documents: new Map(documents), questions };
}

/** Share of the shorter of passage and answer that a right passage has in common with the answer. */
const MIN_OVERLAP = 0.5;

/**
 * Decides whether a passage contains the answer to a question: at least half of the passage is part of the answer, or at
 * least half of the answer is part of the passage. Compares letters and digits only, by their position in the document,
 * so that mark-up and white space do not matter.
 */
export class AnswerKey {
  private constructor(private readonly letters: ReadonlyMap<string, string>) {}

  static async of(documents: ReadonlyMap<string, string>): Promise<AnswerKey> {
    const letters = new Map<string, string>();
    for (const [name, markdown] of documents) {
      const parsed = await parseDocument(new TextEncoder().encode(markdown), { fileType: 'text/markdown' });
      letters.set(name, lettersOf(parsed.text));
    }
    return new AnswerKey(letters);
  }

  isRight({ document, answer }: FaqQuestion, passage: FoundText): boolean {
    if (passage.document !== document) return false;
    const [from, to] = this.position(document, answer);
    const [start, end] = this.position(document, lettersOf(passage.text));
    const common = Math.min(to, end) - Math.max(from, start);
    return common > 0 && common >= MIN_OVERLAP * Math.min(to - from, end - start);
  }

  /** Offsets in the letters of the document; an empty range if they do not contain the text. */
  private position(document: string, letters: string): [start: number, end: number] {
    const at = this.letters.get(document)?.indexOf(letters) ?? -1;
    return at < 0 ? [0, 0] : [at, at + letters.length];
  }
}
