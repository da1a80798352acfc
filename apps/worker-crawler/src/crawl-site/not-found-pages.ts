import { randomBytes } from 'node:crypto';

/** A longer text is content. */
const MAX_CHARACTERS = 20_000;
/** Pages of the crawl that a page is compared with. */
const REMEMBERED_PAGES = 10;
/** Words, counted on both sides, by which pages that are alike may differ: this share of their words, but at least … */
const ALIKE_SHARE = 0.1;
const ALIKE_WORDS = 4;
/** Pages in a row with the same text after which their links are not followed. */
const MAX_REPEATS = 20;
/** No word consists of these letters. */
const LETTERS = 'bcdfghjkpqrtvwxz';
const NAME_LETTERS = 12;

/** Why a response with status 200 is not a page. */
export type NoPage =
  /** It is the page that the site shows for addresses that do not exist. */
  | 'NOT_FOUND_PAGE'
  /** Many pages before it have the same text. */
  | 'REPEATED';

/** A page as it is compared. */
export interface ComparedPage {
  readonly url: string;
  readonly text: string;
  readonly textHash: string;
  /** Whether only a link has led to the page. The other ones do not cause further requests. */
  readonly isLinked: boolean;
  /** Whether the page stays a page, whatever it looks like: the start of the site. */
  readonly isKept: boolean;
}

/** The words of a page, with their number, and those of its address, which an error page may repeat. */
interface Words {
  readonly url: string;
  readonly counts: ReadonlyMap<string, number>;
  readonly ofAddress: ReadonlySet<string>;
}

/** What a site shows for an address that does not exist, twice: two of them differ in words such as a request's number. */
interface Template {
  readonly examples: readonly [Words, Words];
  readonly tolerance: number;
}

/**
 * Finds the pages of one crawl that a server sends with status 200 for addresses that do not exist. Once pages are alike,
 * two addresses of the host are fetched that cannot exist. If both show a page, pages are not found that differ from it no
 * more than the two differ. The words of a page's own address do not count.
 */
export class NotFoundPages {
  private readonly seen: Words[] = [];
  /** By origin; null where the server answers with an error. */
  private readonly templates = new Map<string, Promise<Template | null>>();
  private last = { textHash: '', repeats: 0 };

  /** @param probe fetches an address; null if it shows no page */
  async reasonAgainst(
    { url, text, textHash, isLinked, isKept }: ComparedPage,
    probe: (url: string) => Promise<string | null>,
  ): Promise<NoPage | null> {
    const isRepeated = this.countRepeats(textHash) > MAX_REPEATS;
    const words = wordsOf(url, text);
    const isAlike = words !== null && this.isAlike(words);
    if (isKept) return null;
    const { origin } = new URL(url);
    if (isAlike && isLinked && !this.templates.has(origin)) this.templates.set(origin, learn(origin, probe));
    const template = await this.templates.get(origin);
    if (words !== null && template && shows(template, words)) return 'NOT_FOUND_PAGE';
    return isRepeated && isLinked ? 'REPEATED' : null;
  }

  private countRepeats(textHash: string): number {
    this.last = { textHash, repeats: textHash === this.last.textHash ? this.last.repeats + 1 : 1 };
    return this.last.repeats;
  }

  /** Whether one of the latest pages is like this one. Remembers the page. */
  private isAlike(page: Words): boolean {
    const isAlike = this.seen.some(
      (other) => other.url !== page.url && distance(other, page) <= allowance(page),
    );
    this.seen.push(page);
    if (this.seen.length > REMEMBERED_PAGES) this.seen.shift();
    return isAlike;
  }
}

async function learn(
  origin: string,
  probe: (url: string) => Promise<string | null>,
): Promise<Template | null> {
  const example = async (): Promise<Words | null> => {
    const url = `${origin}/${missingName()}`;
    const text = await probe(url);
    return text === null ? null : wordsOf(url, text);
  };
  const first = await example();
  const second = first && (await example());
  if (first === null || second === null) return null;
  const tolerance = distance(first, second);
  return tolerance > allowance(first) ? null : { examples: [first, second], tolerance };
}

/** A name that no site has. */
function missingName(): string {
  return Array.from(randomBytes(NAME_LETTERS), (byte) => LETTERS[byte % LETTERS.length]).join('');
}

function shows({ examples, tolerance }: Template, page: Words): boolean {
  return examples.some((example) => distance(example, page) <= tolerance);
}

/** Null for a text that is too long, or has no words but those of its address. */
function wordsOf(url: string, text: string): Words | null {
  if (text.length > MAX_CHARACTERS) return null;
  const counts = new Map<string, number>();
  for (const word of split(text.replace(/\d\d?:\d\d(?::\d\d)?/g, '#')))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = { url, counts, ofAddress: new Set([...split(url), ...split(decoded(url))]) };
  return numberOfWords(words) === 0 ? null : words;
}

function split(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

/** Words that one of two pages has and the other one has not. Words of letters and digits are taken for numbers of requests. */
function distance(a: Words, b: Words): number {
  const difference = new Map<string, number>();
  for (const [{ counts }, sign] of [
    [a, 1],
    [b, -1],
  ] as const)
    for (const [word, count] of counts) {
      if (a.ofAddress.has(word) || b.ofAddress.has(word)) continue;
      const key = /\p{L}/u.test(word) && /\p{N}/u.test(word) ? '#' : word;
      difference.set(key, (difference.get(key) ?? 0) + sign * count);
    }
  return [...difference.values()].reduce((sum, count) => sum + Math.abs(count), 0);
}

function allowance(words: Words): number {
  return Math.max(ALIKE_WORDS, numberOfWords(words) * ALIKE_SHARE);
}

function numberOfWords({ counts, ofAddress }: Words): number {
  return [...counts].reduce((sum, [word, count]) => (ofAddress.has(word) ? sum : sum + count), 0);
}
