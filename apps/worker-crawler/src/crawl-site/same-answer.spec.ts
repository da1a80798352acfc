import assert from 'node:assert/strict';
import { it } from 'node:test';
import { BELIEVED_AFTER_MS, CrawlUrlEntity, RunEntity } from '@citewell/database';
import { contentHeldBack, leftOutOrHeldBack } from './same-answer.js';
import { sha256 } from './sha256.js';
import type { PageVisit } from './site-visit.js';

interface Asked {
  readonly reason?: string;
  readonly target?: string;
  readonly away?: string;
  readonly serves?: boolean;
  /** What is known of its row. */
  readonly row?: Partial<CrawlUrlEntity>;
}

const RUN = 'this run';
const LOGIN = { target: 'https://site.example/login' };

function visitOf(answers: Map<string, string>, serves = true): PageVisit {
  const run = Object.assign(new RunEntity(), { id: RUN });
  return {
    run,
    answers,
    serves,
    servedHash: null,
    leads: { found: [], leadsOn: false },
  } as unknown as PageVisit;
}

function urlOf(fields: Partial<CrawlUrlEntity>) {
  return { row: Object.assign(new CrawlUrlEntity(), fields), serving: null, pageId: null };
}

/** What becomes of pages that would be left out, one after the other. */
function outcomes(pages: readonly Asked[]): string[] {
  const answers = new Map<string, string>();
  return pages.map(({ reason = 'REDIRECT', serves, row = {}, ...leads }, n) => {
    const visit = visitOf(answers, serves);
    const url = urlOf({ url: `https://site.example/${n}`, ...row });
    const settled = leftOutOrHeldBack(url, { kind: 'left-out', reason, ...leads }, visit);
    assert.equal(visit.leads.leadsOn, settled.kind === 'failed' ? null : false);
    return settled.kind === 'failed' && settled.isHeldBack ? 'stays' : 'goes';
  });
}

it('lets one page go for an answer; others that get the same stay for now', () => {
  assert.deepEqual(outcomes([LOGIN, LOGIN, LOGIN]), ['goes', 'stays', 'stays']);
  assert.deepEqual(outcomes([{ reason: 'EMPTY' }, { reason: 'EMPTY' }]), ['goes', 'stays']);
});

it('takes a login that is told where somebody came from for the same, and what another host is told', () => {
  for (const told of ['a=1&next=%2F', 'destination=node/', 'state=c0ffee']) {
    const from = (n: number): Asked => ({ target: `https://site.example/login?${told}${n}` });
    assert.deepEqual(outcomes([from(0), from(1)]), ['goes', 'stays'], told);
  }
  const away = (n: number): Asked => ({
    reason: 'REDIRECT_AWAY',
    away: `https://sso.example/in?request=${n}`,
  });
  assert.deepEqual(outcomes([away(0), away(1)]), ['goes', 'stays']);
});

it('lets pages go that lead to one of their own each, or that ask for it', () => {
  for (const to of ['https://site.example/new/', 'https://site.example/view?id=']) {
    const row = { url: 'https://site.example/view' };
    assert.deepEqual(
      outcomes([
        { target: `${to}4`, row },
        { target: `${to}5`, row },
      ]),
      ['goes', 'goes'],
      to,
    );
  }
  const away = (host: string): Asked => ({ reason: 'REDIRECT_AWAY', away: `https://${host}/` });
  assert.deepEqual(outcomes([away('one.example'), away('two.example')]), ['goes', 'goes']);
  for (const reason of ['NOINDEX', 'ROBOTS', 'EXCLUDED', 'GONE'])
    assert.deepEqual(outcomes([{ reason }, { reason }]), ['goes', 'goes'], reason);
});

it('has nothing to keep where nothing serves, and believes what lasts, or what the crawl has looked into', () => {
  const answer = sha256('REDIRECT site.example/login');
  const [recent, old] = [0, BELIEVED_AFTER_MS].map((ago) => new Date(Date.now() - ago));
  const rows: [string, Asked][] = [
    ['goes', { serves: false }],
    ['stays', { row: { outcome: 'failed', answer, answeredSince: recent ?? null } }],
    ['goes', { row: { outcome: 'failed', answer, answeredSince: old ?? null } }],
    ['stays', { row: { outcome: 'failed', answer: 'another', answeredSince: old ?? null } }],
    ['stays', { row: { outcome: 'page', reopenedIn: RUN, answer, answeredSince: recent ?? null } }],
    ['goes', { row: { outcome: 'page', reopenedIn: RUN, answer, answeredSince: old ?? null } }],
    ['goes', { row: { believedIn: RUN } }],
    ['stays', { row: { believedIn: 'the run before' } }],
  ];
  for (const [expected, asked] of rows)
    assert.equal(outcomes([LOGIN, { ...LOGIN, ...asked }])[1], expected, JSON.stringify(asked));
});

it('lets no further page go for an answer that some were held back for, as long as that is not believed', () => {
  const answer = sha256('REDIRECT site.example/login');
  const held = { outcome: 'failed' as const, answer, answeredSince: new Date() };
  assert.deepEqual(outcomes([{ ...LOGIN, row: held }, LOGIN]), ['stays', 'stays']);
});

/** What becomes of a page that says something else than what serves, and is not the first. */
function heldFor(text: string, { bytes = text, path = '/a', answers = new Map<string, string>() } = {}) {
  const visit = { ...visitOf(answers), servedHash: sha256('what serves') };
  const kept = Buffer.from(text, 'utf16le');
  return contentHeldBack(urlOf({ url: `https://site.example${path}` }), kept, Buffer.from(bytes), visit)
    ?.kind;
}

it('does not hold a page against itself when it is looked at once more', () => {
  const answers = new Map<string, string>();
  for (let look = 0; look < 2; look += 1) assert.equal(heldFor('a text', { answers }), undefined);
  assert.equal(answers.size, 1);
});

it('takes the bytes that serve for no answer, though they be read otherwise by now, and like others', () => {
  const answers = new Map<string, string>();
  assert.equal(heldFor('a text', { path: '/b', answers }), undefined);
  assert.equal(heldFor('a text', { bytes: 'what serves', answers }), undefined);
  assert.equal(heldFor('a text', { answers }), 'failed');
});

it('knows a notice that names the moment, the request and its address, and tells other texts apart', () => {
  const rejected = (what: string, id: string, at: string): string =>
    `The URL ${what} was rejected at ${at}. Your support ID is: ${id}.`;
  const noticesFor = (from: string, to: string): [string, string] => [
    rejected(from, '18446744073709551615', '2026-01-01 12:30:01'),
    rejected(to, '7d4f0c9a-03b1-4a77-9d1c-2f0e6b1f9a10', '2026-01-02 9:05'),
  ];
  const outcomeOf = ([first, second]: [string, string], paths = ['/a', '/b']): string | undefined => {
    const answers = new Map<string, string>();
    heldFor(first, { path: paths[0] ?? '', answers });
    return heldFor(second, { path: paths[1] ?? '', answers });
  };
  assert.equal(outcomeOf(noticesFor('/a', '/b')), 'failed');
  assert.equal(outcomeOf(noticesFor('https://site.example/a', 'https://site.example/b')), 'failed');
  const dated = ['/2026-11-23/foo', '/12345678-bar'];
  assert.equal(outcomeOf(noticesFor('/2026-11-23/foo', '/12345678-bar'), dated), 'failed');
  assert.equal(outcomeOf(noticesFor('/straße', '/weg'), ['/stra%C3%9Fe', '/weg']), 'failed');
  assert.equal(outcomeOf(noticesFor('the one', 'the other')), undefined);
  assert.equal(outcomeOf(['Article 17 has 250 words.', 'Article 18 has 250 words.']), undefined);
  assert.equal(outcomeOf(['It was effaced.', 'It was defaced.']), undefined);
});

it('looks for numbers in a long text, and in one that is nearly a number, in no time', () => {
  for (const text of ['a-'.repeat(4_000), 'a-'.repeat(500_000), 'f'.repeat(9_000)])
    assert.equal(heldFor(text), undefined);
});

it('compares long texts, which are no notices, as they are', () => {
  const outcomeOf = (body: string): string | undefined => {
    const answers = new Map<string, string>();
    heldFor(`${body} 12345678`, { answers, path: '/a' });
    return heldFor(`${body} 87654321`, { answers, path: '/b' });
  };
  assert.deepEqual(
    [outcomeOf('word '.repeat(1_900)), outcomeOf('word '.repeat(2_100))],
    ['failed', undefined],
  );
});
