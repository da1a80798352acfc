/** A character that is a word, in scripts without spaces. */
const SINGLE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u;
const WORD = /^[\p{L}\p{M}\p{N}_]$/u;
/** Words in a row that are an echo of our own instructions, or of the beginning of an agent's prompt. */
const ECHO_WORDS = 8;
/** Words in a row that are an echo of any part of an agent's prompt, which may contain facts for its readers. */
const LONG_ECHO_WORDS = 30;
/** Words that are returned before it is known whether they begin an echo. */
const SHOWN_WORDS = 2;
/** An echo that begins within the first words of a prompt is one of the prompt. */
const BEGINNING_WORDS = 12;
/** A word with more places in a protected text begins no run: each of them would cost time at each such word of an answer. */
const MAX_PLACES = 200;
const REMOVED = '[…]';

/** A text that an answer must not repeat. */
export interface ProtectedText {
  text: string;
  /** Whether it may contain sentences for the reader, such as an address. Our own instructions do not. */
  hasFacts: boolean;
}

interface IndexedText {
  words: string[];
  places: Map<string, number[]>;
  hasFacts: boolean;
}

/** Where the words of the answer are in a protected text. */
interface Run {
  source: IndexedText;
  first: number;
  next: number;
  length: number;
  /** Its length, in which a character says less than a word. */
  weight: number;
}

/**
 * Removes what an answer repeats of its prompt, while it streams: a passage may have told the model to print it. Words are
 * compared, so that quotes, lists and line breaks do not matter. Two words at most are returned of an echo, and between
 * three and eight (thirty where the prompt may contain facts) are buffered. A translation or an encoding of the prompt is
 * not recognised.
 */
export class PromptEchoFilter {
  /** The answer has had an echo. */
  hasEcho = false;
  private readonly sources: IndexedText[];
  private output = '';
  /** Text that may belong to an echo. */
  private held = '';
  private word = '';
  private isEscaped = false;
  private runs: Run[] = [];
  private isEchoing = false;

  constructor(texts: readonly ProtectedText[]) {
    this.sources = texts.map(({ text, hasFacts }) => indexed(text, hasFacts));
  }

  push(text: string): string {
    for (const char of text) this.add(char);
    if (!this.isEchoing && this.longestRun() < SHOWN_WORDS) this.release();
    return this.drain();
  }

  flush(): string {
    this.endWord();
    if (!this.isEchoing) this.release();
    return this.drain();
  }

  private add(char: string): void {
    // In JSON, `\n` stands between words.
    const isWord = WORD.test(char) && !(this.isEscaped && /[nrt]/.test(char));
    this.isEscaped = char === '\\';
    if (!isWord || SINGLE.test(char)) this.endWord();
    this.held += char;
    if (isWord) this.word += char;
    if (SINGLE.test(char)) this.endWord();
  }

  private endWord(): void {
    if (this.word === '') return;
    this.runs = this.continued(this.word.toLowerCase());
    this.word = '';
    const wasEchoing = this.isEchoing;
    this.isEchoing = this.runs.some(isEchoed);
    if (this.isEchoing) {
      if (!wasEchoing) this.output += leadOf(this.held) + REMOVED;
      this.held = '';
      this.hasEcho = true;
    } else if (this.longestRun() <= SHOWN_WORDS) this.release();
  }

  private longestRun(): number {
    return Math.max(0, ...this.runs.map(({ length }) => length));
  }

  private release(): void {
    this.output += this.held;
    this.held = '';
  }

  private drain(): string {
    const { output } = this;
    this.output = '';
    return output;
  }

  private continued(word: string): Run[] {
    const weight = SINGLE.test(word) ? 0.5 : 1;
    const going = this.runs.filter(({ source, next }) => source.words[next] === word);
    for (const run of going) {
      run.next += 1;
      run.length += 1;
      run.weight += weight;
    }
    const begun = this.sources.flatMap((source) => {
      const known = new Set(going.map((run) => (run.source === source ? run.next : 0)));
      return placesOf(source, word)
        .filter((place) => !known.has(place + 1))
        .map((place): Run => ({ source, first: place, next: place + 1, length: 1, weight }));
    });
    return [...going, ...begun];
  }
}

/** Where a run can begin with a word. A run does not begin with a frequent word, but with the next word after it. */
function placesOf({ places }: IndexedText, word: string): readonly number[] {
  const found = places.get(word) ?? [];
  return found.length <= MAX_PLACES ? found : [];
}

function isEchoed({ source, first, next, weight }: Run): boolean {
  const isWhole = first === 0 && next === source.words.length && weight >= ECHO_WORDS / 2;
  const limit = source.hasFacts && first >= BEGINNING_WORDS ? LONG_ECHO_WORDS : ECHO_WORDS;
  return isWhole || weight >= limit;
}

/** The white space and the marks before the first word. */
function leadOf(text: string): string {
  return /^[^\p{L}\p{M}\p{N}_]*/u.exec(text)?.[0] ?? '';
}

function indexed(text: string, hasFacts: boolean): IndexedText {
  const words = (
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}_]+/gu) ?? []
  ).map((word) => word.toLowerCase());
  const places = new Map<string, number[]>();
  for (const [index, word] of words.entries()) {
    const known = places.get(word);
    if (known) known.push(index);
    else places.set(word, [index]);
  }
  return { words, places, hasFacts };
}
