import type { SeededRandom } from '../resilience/seeded-random.js';
import { mutateSite } from './site-mutations.js';

/** What a page says. Addresses that share one have the same bytes. */
export interface Content {
  kind: 'page' | 'file' | 'empty';
  /** Stands in no other content, so that a search for it finds who serves this one. */
  word: string;
  links: string[];
  noindex?: boolean;
  canonical?: string;
  /** It is a stub. */
  refresh?: string;
  /** Written otherwise, it says the same. */
  style?: number;
}

export type Answer = { content: Content } | { redirect: string } | { status: 404 | 410 | 403 | 500 };

/** A site as it is during one sync, and what of it the datasource is to have. Paths that it does not name are 404. */
export interface RandomSite {
  start: string;
  answers: Map<string, Answer>;
  /** Paths that its sitemap lists; null where it never had one. */
  sitemap: string[] | null;
  /** What the sitemap answers. */
  sitemapStatus: 200 | 403 | 404;
  /** In place of what they answer, for one sync. */
  failing: Map<string, 403 | 500>;
  /** What answers 503 first, and as it should after. */
  shaky: Set<string>;
  /** Whether the sync is cancelled under way, and begun again. */
  isInterrupted: boolean;
  /** Beginnings of paths. Empty: everything. */
  include: string[];
  exclude: string[];
  maxDepth?: number;
  maxPages?: number;
  /** Contents that were made so far, each with a word of its own. */
  words: number;
}

/** Redirects to here lead away. */
export const AWAY = 'https://other.example/';
export const START = '/start';

export function answerAt(site: RandomSite, path: string): Answer {
  const status = site.failing.get(path);
  return status === undefined ? (site.answers.get(path) ?? { status: 404 }) : { status };
}

/** A site of which all is well, without a sitemap. */
export function plainSite(answers: Readonly<Record<string, Answer>> = {}): RandomSite {
  return {
    start: START,
    answers: new Map(Object.entries(answers)),
    sitemap: null,
    sitemapStatus: 404,
    failing: new Map(),
    shaky: new Set(),
    isInterrupted: false,
    include: [],
    exclude: [],
    words: 0,
  };
}

/** A site of 10 to 40 paths: a tree of links with others across, or a sitemap, and some of all that sites have. */
export function randomSite(random: SeededRandom): RandomSite {
  const site = plainSite();
  if (chance(random, 0.3)) site.exclude = ['/private/'];
  site.answers.set(START, { content: newContent(site) });
  if (chance(random, 0.12)) site.maxPages = random.between(3, 20);
  const size = random.between(9, random.pick([12, 39]));
  const paths = Array.from({ length: size }, () => addPage(site, random));
  if (chance(random, 0.4))
    Object.assign(site, { sitemapStatus: 200, sitemap: paths.filter(() => chance(random, 0.8)) });
  if (chance(random, 0.15)) site.include = ['/docs/', '/blog/'];
  if (chance(random, 0.25)) site.maxDepth = random.between(1, 5);
  mutateSite(site, random, random.between(Math.floor(size / 4), size));
  return site;
}

export function chance(random: SeededRandom, share: number): boolean {
  return random.next() < share;
}

export function newContent(site: RandomSite): Content {
  return { kind: 'page', word: wordOf((site.words += 1)), links: [] };
}

/** A page that some other one links to, and a sitemap lists. @returns its path */
export function addPage(site: RandomSite, random: SeededRandom, content = newContent(site)): string {
  const path = newPath(site, random);
  addLink(site, random, path);
  if (chance(random, 0.3)) content.links.push(random.pick([...site.answers.keys()]));
  site.answers.set(path, { content });
  site.sitemap?.push(path);
  return path;
}

export function newPath(site: RandomSite, random: SeededRandom): string {
  const section = random.pick(['/', '/docs/', '/blog/', '/private/', '/docs/deeper/']);
  const path = `${section}${random.between(1, 9_999)}`;
  return site.answers.has(path) ? newPath(site, random) : path;
}

export function addLink(site: RandomSite, random: SeededRandom, to: string): void {
  const pages = contentsOf(site).filter(({ kind }) => kind === 'page');
  if (pages.length > 0) random.pick(pages).links.push(to);
}

/** Each once, however many addresses have it. */
export function contentsOf({ answers }: RandomSite): Content[] {
  return [...new Set([...answers.values()].flatMap((answer) => ('content' in answer ? answer.content : [])))];
}

/** No analyzer changes it, and none is part of another. */
function wordOf(number: number): string {
  const letters = [...String(number).padStart(4, '0')].map((digit) => 'bdfgklmnpr'[Number(digit)] ?? '');
  return `${letters.join('o')}ozz`;
}
