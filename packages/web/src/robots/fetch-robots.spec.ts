import { describe, expect, it } from '@jest/globals';
import type { GuardedHttpClient } from '../guard/guarded-http.client.js';
import { WebFetchError } from '../guard/fetch-errors.js';
import { fetchRobots, type RobotsAnswer, robotsFor, type RobotsOutcome } from './fetch-robots.js';

const DAY_MS = 24 * 3_600_000;
const file = (content: string): RobotsOutcome => ({
  kind: 'file',
  content: Buffer.from(content),
  url: 'http://e.org/robots.txt',
});
const status = (code: number): RobotsOutcome => ({ kind: 'status', status: code });
const allows = ({ robots }: RobotsAnswer, path = '/a'): boolean =>
  robots.rulesFor('Citewell').allows(`http://e.org${path}`);

describe('robotsFor', () => {
  const rows: readonly (readonly [
    outcome: RobotsOutcome,
    state: RobotsAnswer['state'],
    isAllowed: boolean,
  ])[] = [
    [file('User-agent: *\nDisallow: /a'), 'file', false],
    [file('User-agent: *\nDisallow: /b'), 'file', true],
    [file(''), 'file', true],
    ...[304, 400, 401, 403, 404, 410, 418, 451, 499].map(
      (code) => [status(code), 'unavailable', true] as const,
    ),
    ...[429, 500, 502, 503, 504, 599].map((code) => [status(code), 'unreachable', false] as const),
    [{ kind: 'too-many-redirects' }, 'unavailable', true],
    [{ kind: 'unreachable', problem: 'No.' }, 'unreachable', false],
  ];
  for (const [outcome, state, isAllowed] of rows) {
    const { kind } = outcome;
    it(`${isAllowed ? 'allows' : 'refuses'} after ${kind === 'status' ? outcome.status : kind} (${state})`, () => {
      const answer = robotsFor(outcome, 0);
      expect(answer.state).toBe(state);
      expect(allows(answer)).toBe(isAllowed);
      expect(answer.expiresAtMs).toBe(state === 'unreachable' ? 5_000 : 600_000);
    });
  }

  it('keeps the last file while the server is in trouble', () => {
    const known = robotsFor(file('User-agent: *\nDisallow: /a'), 0);
    const silent = robotsFor({ kind: 'unreachable', problem: 'No.' }, DAY_MS, known);
    const later = robotsFor(status(503), 40 * DAY_MS, silent);
    for (const answer of [silent, later]) {
      expect(answer.state).toBe('unreachable');
      expect([allows(answer, '/a'), allows(answer, '/b')]).toEqual([false, true]);
    }
  });

  it('allows nothing while the server is in trouble and no file is known', () => {
    const absent = robotsFor(status(404), 0, robotsFor(status(500), 0));
    expect(allows(absent)).toBe(true);
    expect(allows(robotsFor(status(500), DAY_MS, absent))).toBe(false);
  });
});

describe('fetchRobots', () => {
  const failing = (error: Error): Pick<GuardedHttpClient, 'fetch'> => ({
    fetch: () => Promise.reject(error),
  });
  const ask = (error: Error): Promise<RobotsOutcome> => fetchRobots(failing(error), 'https://e.org/a/b?c');

  it('maps errors to outcomes', async () => {
    const withStatus = new WebFetchError('permanent', 'HTTP_STATUS', 'No.', { status: 404 });
    expect(await ask(withStatus)).toEqual({ kind: 'status', status: 404 });
    expect(await ask(new WebFetchError('permanent', 'TOO_MANY_REDIRECTS', 'No.'))).toEqual({
      kind: 'too-many-redirects',
    });
    for (const [code, problem] of [
      ['DNS_FAILED', 'No.'],
      ['TLS_FAILED', 'No.'],
      ['CONNECTION_FAILED', 'No.'],
      ['TIMEOUT', 'The robots.txt of the web server cannot be read. No.'],
    ] as const)
      expect(await ask(new WebFetchError('transient', code, 'No.'))).toEqual({
        kind: 'unreachable',
        problem,
      });
  });

  it('rethrows blocked hosts and errors of other classes', async () => {
    await expect(ask(new WebFetchError('blocked', 'ADDRESS_BLOCKED', 'No.'))).rejects.toThrow(
      /ADDRESS_BLOCKED/,
    );
    await expect(ask(new Error('cancelled'))).rejects.toThrow(/cancelled/);
  });
});
