import type { SeededRandom } from '../resilience/seeded-random.js';
import { type Answer, answerAt, type Content, type RandomSite } from './random-site.js';
import { pageOf, type Resource, type TestSite } from './test-site.js';

const LONGEST_DELAY_MS = 40;

/** Has a server answer as a site says, each path after a time of its own. */
export function serveSite(site: RandomSite, server: TestSite, random: SeededRandom): void {
  for (const path of new Set([...site.answers.keys(), ...site.failing.keys()])) {
    const resource = {
      ...resourceOf(answerAt(site, path)),
      delayMs: random.between(0, LONGEST_DELAY_MS),
      validator: validatorOf(path),
    };
    let isShaky = site.shaky.has(path);
    // Asked for again soon, or after the crawler's own pause, when everything else has been.
    const headers = random.pick([{ 'retry-after': '0' }, {}]);
    server.set(path, () => {
      if (!isShaky) return resource;
      isShaky = false;
      return { status: 503, headers };
    });
  }
  if (site.sitemapStatus === 200) server.sitemap(site.sitemap ?? []);
  else server.set('/sitemap.xml', { status: site.sitemapStatus });
}

/** How a path's server says that it has not changed: some send it again. */
export function validatorOf(path: string): Exclude<Resource['validator'], undefined> {
  const kinds = [true, true, true, 'date', false] as const;
  return kinds[path.length % kinds.length] ?? true;
}

function resourceOf(answer: Answer): Resource {
  if ('redirect' in answer) return { status: 302, headers: { location: answer.redirect } };
  if ('content' in answer) return sent(answer.content);
  // Else what fails for good would be waited for.
  return { status: answer.status, ...(answer.status === 500 && { headers: { 'retry-after': '0' } }) };
}

function sent({ kind, word, links, noindex, canonical, refresh, style }: Content): Resource {
  switch (kind) {
    case 'file':
      return { type: 'text/plain', body: `This file tells of ${word}.` };
    case 'empty':
      return { body: `<html><head><title>${word}</title></head><body></body></html>` };
    case 'page': {
      const head = [
        noindex && '<meta name="robots" content="noindex">',
        canonical && `<link rel="canonical" href="${canonical}">`,
        style && `<link rel="stylesheet" href="/${style}.css">`,
        refresh && `<meta http-equiv="refresh" content="0; url=${refresh}">`,
      ];
      const said = { Overview: `This page tells of ${word}, at some length and in plain words.` };
      return { body: pageOf(`About ${word}`, said, { head: head.filter(Boolean).join(''), links }) };
    }
  }
}
