import type { SeededRandom } from '../resilience/seeded-random.js';
import {
  type Answer,
  addLink,
  addPage,
  AWAY,
  chance,
  type Content,
  contentsOf,
  newContent,
  newPath,
  type RandomSite,
  START,
} from './random-site.js';

/** Half of what happens, happens to so many paths: so that one thing meets another. */
const BUSY = 6;
/** Fewer than are doubted. */
const MOST_ALIKE = 5;

type Mutation = (site: RandomSite, random: SeededRandom, path: string, content: Content) => void;

/** What happens to a site from one sync to the next: to one of its paths, which says something. */
const MUTATIONS: Readonly<Record<string, Mutation>> = {
  says: (site, _random, path) => site.answers.set(path, { content: newContent(site) }),
  saysOtherwise: (site, _random, _path, content) => Object.assign(content, { word: newContent(site).word }),
  isRewritten: (_site, random, _path, content) => {
    content.style = random.between(1, 3);
  },
  goes: (site, random, path) => site.answers.set(path, { status: random.pick([404, 410]) }),
  isRefused: (site, random, path) =>
    chance(random, 0.3) && site.answers.set(path, { status: random.pick([403, 500]) }),
  moves: (site, random, path, content) => {
    const to = newPath(site, random);
    site.answers.set(to, { content });
    for (const { links } of contentsOf(site)) replace(links, path, to);
    replace(site.sitemap ?? [], path, to);
    site.answers.set(
      path,
      random.pick([{ status: 404 }, { redirect: to }, { content: { ...newContent(site), refresh: to } }]),
    );
  },
  redirects: (site, random, path) =>
    site.answers.set(path, { redirect: chance(random, 0.15) ? AWAY : anyPath(site, random) }),
  becomesStub: (site, random, path) =>
    site.answers.set(path, { content: { ...newContent(site), refresh: anyPath(site, random) } }),
  namesCanonical: (site, random, _path, content) => {
    content.canonical = anyPath(site, random);
  },
  namesNone: (_site, _random, _path, content) => {
    delete content.canonical;
  },
  hides: (_site, _random, _path, content) => {
    content.noindex = true;
  },
  shows: (site) => {
    for (const content of contentsOf(site)) delete content.noindex;
  },
  isEmptied: (site, _random, path) =>
    site.answers.set(path, { content: { ...newContent(site), kind: 'empty' } }),
  becomesFile: (site, _random, path) =>
    site.answers.set(path, { content: { ...newContent(site), kind: 'file' } }),
  isCopied: (site, random, _path, content) => addPage(site, random, content),
  takesOver: (site, random, _path, content) => site.answers.set(anyPath(site, random), { content }),
  isAdded: (site, random) => addPage(site, random),
  losesLinks: (_site, random, _path, content) => {
    content.links = content.links.filter(() => chance(random, 0.5));
  },
  becomeAlike: (site, random) => {
    const content = newContent(site);
    const answer = random.pick<Answer>([
      { content },
      { content: { ...content, kind: 'empty' } },
      { redirect: anyPath(site, random) },
    ]);
    for (let time = 0; time < MOST_ALIKE; time += 1) site.answers.set(anyPath(site, random), answer);
  },
  returns: (site, random) => site.answers.set(anyPath(site, random), { content: newContent(site) }),
  isLinked: (site, random, path) => addLink(site, random, path),
  linksNowhere: (site, random) => addLink(site, random, newPath(site, random)),
  isUnlisted: (site, _random, path) => {
    site.sitemap &&= site.sitemap.filter((listed) => listed !== path);
  },
  fails: (site, random, path) => site.failing.set(path, random.pick([403, 500])),
  stumbles: (site, random, path) => chance(random, 0.3) && site.shaky.add(path),
};

/** Changes a site in place, so many times. */
export function mutateSite(site: RandomSite, random: SeededRandom, times: number): void {
  for (let time = 0; time < times; time += 1) {
    const paths = [...site.answers].flatMap(([path, answer]) =>
      // The start stays what it is, mostly: a site without one has nothing to compare.
      'content' in answer && (path !== START || chance(random, 0.2)) ? [{ path, ...answer }] : [],
    );
    if (paths.length === 0) return;
    const { path, content } = random.pick(chance(random, 0.5) ? paths.slice(0, BUSY) : paths);
    random.pick(Object.values(MUTATIONS))(site, random, path, content);
  }
}

/** A site after some time: what failed is well again, other things have changed. */
export function laterSite(before: RandomSite, random: SeededRandom): RandomSite {
  // Contents that were shared still are.
  const site = structuredClone(before);
  site.failing.clear();
  site.shaky.clear();
  if (site.sitemap !== null) site.sitemapStatus = random.pick([200, 200, 200, 200, 200, 403, 404]);
  // Whether a sitemap is missing for the first time would be another question then.
  site.isInterrupted = site.sitemapStatus === (site.sitemap ? 200 : 404) && chance(random, 0.15);
  if (chance(random, 0.1)) site.exclude = site.exclude.length > 0 ? [] : ['/private/'];
  if (chance(random, 0.1) && site.maxDepth !== undefined) site.maxDepth = random.between(1, 5);
  mutateSite(site, random, random.between(2, 8));
  return site;
}

function anyPath(site: RandomSite, random: SeededRandom): string {
  const paths = [...site.answers.keys()];
  return random.pick(chance(random, 0.5) ? paths.slice(0, BUSY) : paths);
}

function replace(paths: string[], from: string, to: string): void {
  for (const [index, path] of paths.entries()) if (path === from) paths[index] = to;
}
