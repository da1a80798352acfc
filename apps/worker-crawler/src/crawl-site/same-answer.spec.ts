import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CrawlUrlEntity, isAlike } from '@citewell/database';
import { leftOutOrHeldBack } from './same-answer.js';
import type { PageVisit } from './site-visit.js';

interface Asked {
  readonly reason?: string;
  readonly target?: string;
  readonly serves?: boolean;
  /** What was noted of the page before. */
  readonly noted?: string;
}

/** What becomes of pages that would be left out, one after the other. */
function outcomes(pages: readonly Asked[]): string[] {
  const answers = new Set<string>();
  return pages.map(({ reason = 'REDIRECT', target, serves = true, noted = null }) => {
    const row = Object.assign(new CrawlUrlEntity(), { reason: noted });
    const visit = { answers, serves, leads: { found: [], leadsOn: false } } as unknown as PageVisit;
    const outcome = { kind: 'left-out' as const, reason, ...(target === undefined ? {} : { target }) };
    const settled = leftOutOrHeldBack({ row, serving: null, pageId: null }, outcome, visit);
    assert.equal(visit.leads.leadsOn, settled.kind === 'failed' ? null : false);
    return settled.kind === 'failed' && isAlike(settled.reason ?? null) ? 'stays' : 'goes';
  });
}

it('lets one page go for an answer; others that get the same stay for now', () => {
  const login = { target: 'https://site.example/login' };
  assert.deepEqual(outcomes([login, login, login]), ['goes', 'stays', 'stays']);
  assert.deepEqual(outcomes([{ reason: 'EMPTY' }, { reason: 'EMPTY' }]), ['goes', 'stays']);
});

it('takes a login that is told where somebody came from for the same', () => {
  const from = (path: string): Asked => ({ target: `https://site.example/login?next=${path}` });
  assert.deepEqual(outcomes([from('/a'), from('/b')]), ['goes', 'stays']);
});

it('lets pages go that lead to one of their own each, or that ask for it', () => {
  assert.deepEqual(outcomes([{ target: 'https://site.example/1' }, { target: 'https://site.example/2' }]), [
    'goes',
    'goes',
  ]);
  for (const reason of ['NOINDEX', 'ROBOTS', 'EXCLUDED', 'GONE'])
    assert.deepEqual(outcomes([{ reason }, { reason }]), ['goes', 'goes'], reason);
});

it('has nothing to keep where nothing serves, and believes what was noted before', () => {
  const login = { target: 'https://site.example/login' };
  assert.deepEqual(outcomes([login, { ...login, serves: false }]), ['goes', 'goes']);
  assert.deepEqual(outcomes([login, { ...login, noted: 'ALIKE login' }]), ['goes', 'goes']);
});
