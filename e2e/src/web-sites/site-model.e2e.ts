import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Answer, plainSite, type RandomSite, START } from './random-site.js';
import { NO_PAST, type Observed, type Past, SiteModel } from './site-model.js';

const page = (
  word: string,
  more: Partial<Extract<Answer, { content: unknown }>['content']> = {},
): Answer => ({
  content: { kind: 'page', word, links: [], ...more },
});

/** A site whose start links to all its other paths. */
function siteOf(answers: Record<string, Answer>, more: Partial<RandomSite> = {}): RandomSite {
  const start = page('start', { links: Object.keys(answers) });
  return { ...plainSite({ [START]: start, ...answers }), ...more };
}

const modelOf = (site: RandomSite, states: Observed['states'], past = NO_PAST, isOpen = false): SiteModel =>
  new SiteModel(site, past, { states: { [START]: 'synched', ...states }, isOpen });

function assertOnly(site: RandomSite, permitted: readonly string[], past?: Past): void {
  for (const paths of ['', '/a', '/b', '/a /b']) {
    const states = Object.fromEntries(
      paths
        .split(' ')
        .filter(Boolean)
        .map((path) => [path, 'synched']),
    );
    const isRight = modelOf(site, states, past).problems().length === 0;
    assert.equal(isRight, permitted.includes(paths), `"${paths}"`);
  }
}

it('permits what agrees with itself: either of two that name each other, and of copies the first', () => {
  assertOnly(siteOf({ '/a': page('a'), '/b': page('b') }), ['/a /b']);
  assertOnly(siteOf({ '/a': page('a'), '/b': { redirect: '/a' } }), ['/a']);
  assertOnly(siteOf({ '/a': page('a', { canonical: '/b' }), '/b': page('b', { canonical: '/a' }) }), [
    '/a',
    '/b',
  ]);
  assertOnly(siteOf({ '/a': page('a', { canonical: '/b' }), '/b': { status: 404 } }), ['/a']);
  assertOnly(siteOf({ '/a': page('same'), '/b': page('same') }), ['/a']);
});

it('remembers which of two copies has said so for longest', () => {
  const past = modelOf(siteOf({ '/b': page('same') }), { '/b': 'synched' }).after();
  assertOnly(siteOf({ '/a': page('same'), '/b': page('same') }), ['/b'], past);
});

it('keeps what is only led to by a page that fails, and has the site say so', () => {
  const whole = siteOf({ '/a': page('a', { links: ['/further'] }) });
  whole.answers.set('/further', page('further'));
  const past = modelOf(whole, { '/a': 'synched', '/further': 'synched' }).after();
  const failing = { ...whole, failing: new Map([['/a', 403 as const]]) };
  const states = { '/a': 'PAGE_REFUSED', '/further': 'synched' };
  const model = modelOf(failing, states, past, true);
  assert.deepEqual(model.problems(), []);
  assert.equal(model.servedBy('/a')?.word, 'a', 'what it said before');
  assert.deepEqual(modelOf(failing, states, past).problems(), [
    'the site does not say that it is not complete',
  ]);
  assert.deepEqual(modelOf(failing, { '/a': 'PAGE_REFUSED' }, past, true).problems(), [
    '/further is absent, and should be synched',
  ]);
});

it('knows where a site ends, and that a sitemap is the whole list', () => {
  const chain = { '/a': page('a', { links: ['/b'] }), '/b': page('b') };
  const start = { [START]: page('start', { links: ['/a'] }), ...chain };
  assertOnly(siteOf(start, { maxDepth: 1 }), ['/a']);
  assertOnly(siteOf(start, { exclude: ['/a'] }), ['']);
  const listed = modelOf(siteOf(chain, { sitemap: ['/a'], sitemapStatus: 200 }), { '/a': 'synched' });
  assert.deepEqual(listed.problems(), [`${START} is synched, and should be absent`]);
});
