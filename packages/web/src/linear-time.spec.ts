import { type Attack, slowAttacks } from '@citewell/testing/slow-attacks';
import { describe, expect, it } from '@jest/globals';
import { readResponseFacts } from './guard/guarded-http.client.js';
import { hasRepeatedSegments, normalizeUrl, readRobotsDirectives, RobotsFile, UrlScope } from './index.js';

const SITE = 'https://example.org/';
const scope = new UrlScope({ start: SITE, include: ['/**a*/**b'], exclude: ['*.pdf'] });

/** With the longest text that each gets. A link of a page may have any length, as far as a page has. */
const FUNCTIONS: readonly (readonly [name: string, length: number, call: (text: string) => unknown])[] = [
  ['the path of a link', 8_000, (text) => normalizeUrl(SITE + text)],
  ['a link', 65_536, (text) => normalizeUrl(text, SITE)],
  ['the query of a link', 8_000, (text) => normalizeUrl(`?${text}`, SITE)],
  ['the segments of a URL', 65_536, (text) => hasRepeatedSegments(SITE + text)],
  ['the scope of a site', 65_536, (text) => scope.refusalOf(SITE + text)],
  ['robots directives', 16_384, (text) => readRobotsDirectives([text], 'bot')],
  [
    'a robots.txt',
    65_536,
    (text) => new RobotsFile(text).rulesFor('bot').allows(SITE + text.slice(0, 1_000)),
  ],
  [
    'headers of a response',
    16_384,
    (text) => readResponseFacts({ link: text, 'retry-after': text }, new URL(SITE), 0),
  ],
];

const ATTACKS: readonly Attack[] = [
  ['(A(', '%29S%28', '('],
  ['(A(', '%29S(%%', '%S'],
  ['', '(S(x))/', 'x'],
  ['(', 'S(a)', 'x'],
  ['', ';sid=', ''],
  ['', 'jsessionid/', '-'],
  ['', 'a/', ''],
  ['', 'a/b/', 'c'],
  ['', '%', ''],
  ['', '..%2f', ''],
  ['', 'é', ''],
  ['', '&sid=1', ''],
  ['<', ' ', '>;rel'],
  ['<a>', ';rel="', ''],
  ['', '<a>; ', ''],
  ['bot:', ' ', ','],
  ['', 'a-', ':'],
  ['User-agent: *\n', 'Disallow: /*a\n', ''],
  ['', '\t', ' x'],
];

// The time for which a hostile text blocks the event loop is the behavior.
describe('hostile text', () => {
  it.each(FUNCTIONS)('blocks the event loop for at most 50 ms in %s', async (_, length, call) => {
    expect(await slowAttacks(ATTACKS, { length, limitMs: 50 }, call)).toEqual([]);
  });
});
