import { describe, expect, it } from '@jest/globals';
import { readRobotsDirectives } from './robots-directives.js';

const ROWS: readonly (readonly [values: string[], found: string])[] = [
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
  [['unavailable_after: Fri, 20 Nov 2020 12:00:00 GMT, nofollow'], 'nofollow'],
];

describe('readRobotsDirectives', () => {
  for (const [values, found] of ROWS) {
    it(`reads ${JSON.stringify(values)}`, () => {
      const { noindex, nofollow } = readRobotsDirectives(values, 'Citewell/1.0');
      expect([noindex && 'noindex', nofollow && 'nofollow'].filter(Boolean).join(' ')).toBe(found);
    });
  }
});
