import { seededRandom } from '@citewell/retrieval';

export const SCRIPTS = ['latin', 'cyrillic', 'greek', 'arabic'] as const;
export type Script = (typeof SCRIPTS)[number];

/** A part of a page. All words of a document are different, so that each can be found in the text. */
export type Section =
  | { readonly kind: 'heading' | 'paragraph'; readonly words: readonly string[] }
  | { readonly kind: 'columns'; readonly columns: readonly (readonly string[])[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly string[])[] }
  | { readonly kind: 'table' | 'form'; readonly rows: readonly (readonly string[])[] };

export interface RandomPage {
  readonly sections: readonly Section[];
}

export interface RandomDocument {
  readonly script: Script;
  /** Words at the top of each page. */
  readonly head: readonly string[];
  readonly pages: readonly RandomPage[];
}

const LETTERS: Readonly<Record<Script, readonly [consonants: string, vowels: string]>> = {
  latin: ['bcdfghklmnprstvz', 'aeiou'],
  cyrillic: ['бвгджзклмнпрстфх', 'аеиоу'],
  greek: ['βγδζθκλμνπρστφχψ', 'αειου'],
  arabic: ['بتثجحخدرزسشصضطعف', 'اويله'],
};
const MAX_PAGES = 3;

/** Makes a document of one to three pages. Equal seeds make equal documents. */
export function randomDocument(seed: number): RandomDocument {
  const random = seededRandom(seed);
  const pick = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1));
  const script = SCRIPTS[seed % SCRIPTS.length] ?? 'latin';
  const used = new Set<string>();
  const word = (): string => {
    const [consonants, vowels] = LETTERS[script];
    for (;;) {
      let text = '';
      for (let syllable = pick(2, 4); syllable > 0; syllable -= 1)
        text += consonants.charAt(pick(0, consonants.length - 1)) + vowels.charAt(pick(0, vowels.length - 1));
      if (used.has(text)) continue;
      used.add(text);
      return text;
    }
  };
  const words = (from: number, to: number): string[] => Array.from({ length: pick(from, to) }, word);
  const rows = (count: number, cells: number): string[][] =>
    Array.from({ length: count }, () => Array.from({ length: cells }, () => words(1, 2).join(' ')));
  const sections: readonly (() => Section)[] = [
    () => ({ kind: 'heading', words: words(2, 4) }),
    () => ({ kind: 'paragraph', words: words(25, 70) }),
    () => ({ kind: 'columns', columns: [words(35, 60), words(35, 60)] }),
    () => ({ kind: 'list', items: Array.from({ length: pick(2, 5) }, () => words(2, 6)) }),
    () => ({ kind: 'table', rows: rows(pick(3, 7), pick(3, 5)) }),
    () => ({ kind: 'form', rows: rows(pick(3, 6), 2) }),
  ];
  const page = (): RandomPage => ({
    sections: Array.from({ length: pick(2, 4) }, () =>
      (sections[pick(0, sections.length - 1)] ?? sections[1])?.(),
    ).filter((section) => section !== undefined),
  });
  return { script, head: words(2, 3), pages: Array.from({ length: pick(1, MAX_PAGES) }, page) };
}

/** The words of a section in the order in which they are read. */
export function wordsIn(section: Section): string[] {
  switch (section.kind) {
    case 'heading':
    case 'paragraph':
      return [...section.words];
    case 'columns':
      return section.columns.flat();
    case 'list':
      return section.items.flat();
    case 'table':
    case 'form':
      return section.rows.flat().flatMap((cell) => cell.split(' '));
  }
}
