import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readRobotsDirectives } from './robots-directives.js';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const ROWS: readonly (readonly [values: string[], said: string])[] = [
  [[], ''],
  [['noindex'], 'noindex'],
  [['NoIndex, NoFollow'], 'noindex nofollow'],
  [['none'], 'noindex nofollow'],
  [['index, follow'], ''],
  [['nofollow', 'noindex'], 'noindex nofollow'],
  [['index', 'noindex'], 'noindex'],
  [['otherbot: noindex'], ''],
  [['otherbot: noindex, nofollow'], ''],
  [['citewell: noindex, nofollow'], 'noindex nofollow'],
  [['otherbot: noindex, Citewell: nofollow'], 'nofollow'],
  [['robots: noindex'], 'noindex'],
  [['noindexing'], ''],
  [['max-snippet: 20, noindex'], 'noindex'],
  [['unavailable_after: 25 Jun 2020 15:00:00 PST'], 'noindex'],
  [['unavailable_after: Fri, 20 Nov 2020 12:00:00 GMT'], 'noindex'],
  [['unavailable_after: Fri, 20 Nov 2099 12:00:00 GMT, nofollow'], 'nofollow'],
  [['unavailable_after: 2020-01-01'], 'noindex'],
  [['unavailable_after: never'], ''],
];

describe('readRobotsDirectives', () => {
  for (const [values, said] of ROWS) {
    it(`reads ${JSON.stringify(values)}`, () => {
      const { noindex, nofollow } = readRobotsDirectives(values, 'Citewell/1.0', NOW);
      assert.equal([noindex && 'noindex', nofollow && 'nofollow'].filter(Boolean).join(' '), said);
    });
  }
});
