import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { GuardedHttpClient } from '../guard/guarded-http.client.js';
import { WebFetchError } from '../guard/web-fetch.error.js';
import { fetchRobots } from './fetch-robots.js';
import { type RobotsAnswer, robotsFor, type RobotsOutcome } from './robots-answer.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
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
    ...[304, 400, 401, 403, 404, 410, 418, 451, 499].map((code) => [status(code), 'absent', true] as const),
    ...[429, 500, 502, 503, 504, 599].map((code) => [status(code), 'unreachable', false] as const),
    [{ kind: 'too-many-redirects' }, 'absent', true],
    [{ kind: 'unreachable', problem: 'No.' }, 'unreachable', false],
  ];
  for (const [outcome, state, isAllowed] of rows) {
    const { kind } = outcome;
    it(`${isAllowed ? 'allows' : 'refuses'} after ${kind === 'status' ? outcome.status : kind} (${state})`, () => {
      const answer = robotsFor(outcome, 0);
      assert.equal(answer.state, state);
      assert.equal(allows(answer), isAllowed);
      assert.equal(answer.expiresAtMs, state === 'unreachable' ? HOUR_MS / 2 : HOUR_MS / 6);
    });
  }

  it('keeps the last file while the server is in trouble, however long', () => {
    const known = robotsFor(file('User-agent: *\nDisallow: /a'), 0);
    const silent = robotsFor({ kind: 'unreachable', problem: 'No.' }, DAY_MS, known);
    assert.equal(silent.state, 'unreachable');
    assert.deepEqual([allows(silent, '/a'), allows(silent, '/b')], [false, true]);
    const later = robotsFor(status(503), 40 * DAY_MS, silent);
    assert.deepEqual([allows(later, '/a'), allows(later, '/b')], [false, true]);
    assert.equal(later.unreachableSinceMs, DAY_MS);
  });

  it('takes a file that was never read for absent after thirty days', () => {
    const first = robotsFor(status(500), 0);
    const second = robotsFor(status(500), 30 * DAY_MS - 1, first);
    assert.equal(allows(second), false);
    assert.equal(allows(robotsFor(status(500), 30 * DAY_MS, second)), true);
  });

  it('starts counting again once the server has answered', () => {
    const first = robotsFor(status(500), 0);
    const well = robotsFor(status(404), DAY_MS, first);
    assert.equal(well.unreachableSinceMs, null);
    // That there was no file is no file to go on with.
    assert.equal(allows(robotsFor(status(500), 40 * DAY_MS, well)), false);
  });
});

describe('fetchRobots', () => {
  const failing = (error: Error): Pick<GuardedHttpClient, 'fetch'> => ({
    fetch: () => Promise.reject(error),
  });
  const ask = (error: Error): Promise<RobotsOutcome> => fetchRobots(failing(error), 'https://e.org/a/b?c');

  it('tells outcomes apart', async () => {
    const withStatus = new WebFetchError('permanent', 'HTTP_STATUS', 'No.', { status: 404 });
    assert.deepEqual(await ask(withStatus), { kind: 'status', status: 404 });
    assert.deepEqual(await ask(new WebFetchError('permanent', 'TOO_MANY_REDIRECTS', 'No.')), {
      kind: 'too-many-redirects',
    });
    for (const code of ['DNS_FAILED', 'TLS_FAILED', 'TIMEOUT', 'CONNECTION_FAILED'] as const) {
      assert.deepEqual(await ask(new WebFetchError('transient', code, 'No.')), {
        kind: 'unreachable',
        problem: 'No.',
      });
    }
  });

  it('passes on what is no answer about robots', async () => {
    await assert.rejects(ask(new WebFetchError('blocked', 'ADDRESS_BLOCKED', 'No.')), /ADDRESS_BLOCKED/);
    await assert.rejects(ask(new Error('cancelled')), /cancelled/);
  });
});
