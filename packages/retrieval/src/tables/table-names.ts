import type { AskedTable } from './asked-table.js';
import { type ComparedWord, isForm, isRelated, wordsOf } from './question-words.js';

/** The words of the names of a table, its columns and its document. */
export class TableNames {
  /** Of the document, the sheet and the table. */
  private readonly ofDocument: readonly ComparedWord[];
  private readonly byColumn: ReadonlyMap<number, readonly ComparedWord[]>;
  private readonly all: readonly ComparedWord[];

  constructor({ names, columns }: Pick<AskedTable, 'names' | 'columns'>) {
    this.byColumn = new Map(columns.map(({ position, name }) => [position, wordsOf(name)]));
    // "orders-2026.csv" is three words.
    this.ofDocument = names.flatMap((name) => wordsOf(name.replace(/[._-]/gu, ' ')));
    this.all = [...this.ofDocument, ...[...this.byColumn.values()].flat()];
  }

  /** Whether a word is a form of one of these words. */
  has(word: ComparedWord): boolean {
    return this.all.some((name) => isForm(word, name));
  }

  hasExactly({ key }: ComparedWord): boolean {
    return this.all.some((name) => name.key === key);
  }

  /** Whether a word may refer to one of these names. */
  isNamedBy(word: ComparedWord): boolean {
    return this.all.some((name) => isRelated(word, name));
  }

  isDocumentNamedBy(word: ComparedWord): boolean {
    return this.ofDocument.some((name) => isRelated(word, name));
  }

  /** The columns of which a word is a form, or to which it may refer. */
  columnsOf(word: ComparedWord, matches: typeof isForm | typeof isRelated): number[] {
    return [...this.byColumn].flatMap(([position, names]) =>
      names.some((name) => matches(word, name)) ? position : [],
    );
  }
}
