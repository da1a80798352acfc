import type { SeededRandom } from '../../operations/resilience/seeded-random.js';
import { article, canonical, redirectTo, type Resource, type TestSite } from './test-site.js';

type Content = {
  readonly kind: 'page' | 'file' | 'empty';
  word: string;
  links: string[];
  noindex?: boolean;
  pointer?: { readonly how: 'canonical' | 'refresh'; readonly to: string };
};
export type Answer =
  | Content
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'error'; readonly status: 404 | 403 | 500 };

/** A site during one sync, and the configuration of its datasource. Other paths answer 404. */
export interface RandomSite {
  readonly answers: Map<string, Answer>;
  /** Listed paths; null without a sitemap. */
  sitemap: string[] | null;
  sitemapStatus: 200 | 403 | 404 | 500;
  /** Answers in this sync only; 503 to the first request only. */
  readonly failing: Map<string, 403 | 500 | 503>;
  isPrivateExcluded: boolean;
  removeMissing: boolean;
  words: number;
}

export const START = '/start';
/** Leads away from the site. */
export const AWAY = 'https://other.example/';
const GONE = { kind: 'error', status: 404 } as const;
const LONGEST_DELAY_MS = 30;

export function randomSite(random: SeededRandom): RandomSite {
  const site: RandomSite = {
    answers: new Map(),
    sitemap: null,
    sitemapStatus: 404,
    failing: new Map(),
    isPrivateExcluded: chance(random, 0.2),
    removeMissing: false,
    words: 0,
  };
  site.answers.set(START, newPage(site));
  const size = random.between(4, random.pick([8, 25]));
  for (let n = 0; n < size; n += 1) addPage(site, random, newPage(site));
  if (chance(random, 0.5)) {
    site.sitemap = [...site.answers.keys()].filter(() => chance(random, 0.8));
    site.sitemapStatus = 200;
  }
  for (let n = random.between(0, size); n > 0; n -= 1) mutate(site, random);
  return site;
}

/** The site at the time of the next sync. */
export function laterSite(before: RandomSite, random: SeededRandom): RandomSite {
  const site = structuredClone(before);
  site.failing.clear();
  site.removeMissing = chance(random, 0.1);
  if (site.sitemap !== null) site.sitemapStatus = random.pick([200, 200, 200, 200, 200, 403, 404, 500]);
  if (chance(random, 0.1)) site.isPrivateExcluded = !site.isPrivateExcluded;
  // A bad day: many pages answer the same.
  const answer = random.pick<Answer>([newPage(site), GONE, { kind: 'redirect', to: AWAY }]);
  const share = chance(random, 0.2) ? 0.7 : 0;
  for (const path of site.answers.keys())
    if (path !== START && chance(random, share)) site.answers.set(path, structuredClone(answer));
  for (let n = random.between(0, 6); n > 0; n -= 1) mutate(site, random);
  return site;
}

/** Changes one page, or what leads to it. The start stays a page. */
function mutate(site: RandomSite, random: SeededRandom): void {
  const { answers } = site;
  const any = (): string => random.pick([...answers.keys()]);
  const pages = [...answers].flatMap(([path, answer]) => (isContent(answer) ? [{ path, page: answer }] : []));
  const { path, page } = random.pick(pages);
  const set = (changed: string, answer: Answer): unknown =>
    changed === START || answers.set(changed, structuredClone(answer));
  const copy = (): void => addPage(site, random, structuredClone(page));
  const move = (): void => {
    const to = newPath(site, random);
    const renamed = (paths: string[]): string[] => paths.map((old) => (old === path ? to : old));
    set(to, page);
    set(path, random.pick<Answer>([GONE, { kind: 'redirect', to }]));
    if (site.sitemap !== null) site.sitemap = renamed(site.sitemap);
    for (const other of pages) other.page.links = renamed(other.page.links);
  };
  const how = random.pick(['canonical', 'refresh'] as const);
  random.pick<() => unknown>([
    () => (page.word = newPage(site).word),
    () => (page.links = page.links.filter(() => chance(random, 0.5))),
    () => page.links.push(chance(random, 0.9) ? any() : newPath(site, random)),
    () => addPage(site, random, newPage(site)),
    ...(path === START ? [] : [copy, () => set(any(), page), move]),
    () => set(path, GONE),
    () => set(path, { kind: 'redirect', to: chance(random, 0.2) ? AWAY : any() }),
    () => set(path, { ...newPage(site), kind: random.pick(['file', 'empty']) }),
    () => set(any(), newPage(site)),
    () => (page.pointer = { how, to: chance(random, 0.8) ? any() : '/missing' }),
    () => delete page.pointer,
    () => path !== START && (page.noindex = !page.noindex),
    () => (site.sitemap = site.sitemap?.filter((listed) => listed !== path) ?? null),
    () => site.failing.set(path, random.pick([403, 500, 503])),
  ])();
}

export function isContent(answer: Answer): answer is Content {
  return answer.kind === 'page' || answer.kind === 'file' || answer.kind === 'empty';
}

/** The canonical URL is part of a document's metadata, and so of the hash of its text. */
export function textOf({ kind, word, pointer }: Content): string {
  const isCanonical = kind === 'page' && pointer?.how === 'canonical';
  return `${kind} ${word}${isCanonical ? ` ${pointer.to}` : ''}`;
}

export function answerAt({ answers, failing }: RandomSite, path: string): Answer {
  const status = failing.get(path);
  if (status !== undefined && status !== 503) return { kind: 'error', status };
  return answers.get(path) ?? GONE;
}

export function serve(site: RandomSite, server: TestSite, random: SeededRandom): void {
  const retryNow = { headers: { 'retry-after': '0' } };
  for (const path of new Set([...site.answers.keys(), ...site.failing.keys()])) {
    const resource = {
      ...retryNow,
      ...resourceOf(answerAt(site, path)),
      delayMs: random.between(0, LONGEST_DELAY_MS),
      validator: random.pick([true, true, 'date', false] as const),
    };
    const isFlaky = site.failing.get(path) === 503;
    server.set(path, (count) => (isFlaky && count === 1 ? { ...retryNow, status: 503 } : resource));
  }
  if (site.sitemapStatus === 200) server.sitemap(site.sitemap ?? []);
  else server.set('/sitemap.xml', { ...retryNow, status: site.sitemapStatus });
}

function resourceOf(answer: Answer): Resource {
  if (answer.kind === 'redirect') return redirectTo(answer.to);
  if (answer.kind === 'error') return { status: answer.status };
  const { kind, word, links, noindex, pointer } = answer;
  if (kind === 'file') return { type: 'text/plain', body: `This page tells of ${word}, in a file.` };
  if (kind === 'empty') return { body: `<html><head><title>${word}</title></head><body></body></html>` };
  const refresh = `<meta http-equiv="refresh" content="0; url=${pointer?.to}">`;
  const head = [
    noindex ? '<meta name="robots" content="noindex">' : '',
    pointer ? (pointer.how === 'canonical' ? canonical(pointer.to) : refresh) : '',
  ];
  return { body: article(word, { head: head.join(''), links }) };
}

function newPage(site: RandomSite): Content {
  return { kind: 'page', word: `word${(site.words += 1)}`, links: [] };
}

/** Adds a page that a random page links to and the sitemap lists. */
function addPage(site: RandomSite, random: SeededRandom, page: Content): void {
  const path = newPath(site, random);
  random.pick([...site.answers.values()].filter(isContent)).links.push(path);
  site.answers.set(path, page);
  site.sitemap?.push(path);
}

function newPath(site: RandomSite, random: SeededRandom): string {
  const path = `${random.pick(['/', '/docs/', '/private/'])}${random.between(1, 9_999)}`;
  return site.answers.has(path) ? newPath(site, random) : path;
}

function chance(random: SeededRandom, share: number): boolean {
  return random.next() < share;
}
