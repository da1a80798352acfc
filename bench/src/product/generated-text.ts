import { seededRandom } from '@citewell/retrieval';

const VOCABULARY = 20_000;
const SYLLABLES = [
  'ba',
  'co',
  'du',
  'fe',
  'gi',
  'ka',
  'lo',
  'mu',
  'ne',
  'pi',
  'ra',
  'so',
  'tu',
  've',
  'zi',
  'shan',
];
const WORDS_PER_SENTENCE = 14;
const SENTENCES_PER_PARAGRAPH = 6;
const PARAGRAPHS_PER_SECTION = 2;

/**
 * Generates reproducible texts of made-up words whose frequencies follow Zipf's law, in sentences, paragraphs
 * and sections with headings. A section has 170 words, about one chunk of the default size.
 */
export class GeneratedText {
  private readonly random: () => number;
  private readonly words: readonly string[];

  /** @param words the most frequent words of the vocabulary, in descending order of frequency */
  constructor(seed: number, words: readonly string[] = []) {
    this.random = seededRandom(seed);
    this.words = [...words, ...Array.from({ length: VOCABULARY - words.length }, (_, n) => wordOf(n))];
  }

  /** A Markdown document with the given number of sections. */
  document(sections: number): string {
    const parts = [`# ${this.phrase(4)}`];
    for (let section = 0; section < sections; section++) {
      parts.push(`## ${this.phrase(3)}`);
      for (let n = 0; n < PARAGRAPHS_PER_SECTION; n++) parts.push(this.paragraph());
    }
    return `${parts.join('\n\n')}\n`;
  }

  paragraph(): string {
    return Array.from({ length: SENTENCES_PER_PARAGRAPH }, () => `${this.phrase(WORDS_PER_SENTENCE)}.`).join(
      ' ',
    );
  }

  /** A question or heading with the given number of words. */
  phrase(words: number): string {
    const chosen = Array.from(
      { length: words },
      () => this.words[Math.floor(this.words.length ** this.random()) - 1] ?? '',
    ).join(' ');
    return chosen.charAt(0).toUpperCase() + chosen.slice(1);
  }
}

/** The n-th made-up word. Frequent words are short. */
function wordOf(n: number): string {
  let word = '';
  for (let rest = n + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length];
  return word;
}
