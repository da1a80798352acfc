import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { firstSyncAt, nextSyncAt } from './schedule.js';

const NOW = new Date('2026-03-01T12:00:00Z');

describe('nextSyncAt', () => {
  it('returns the UTC time plus a jitter that is constant per seed', () => {
    const at = ['a', 'b', 'c'].map((seed) => nextSyncAt('0 3 * * *', seed, NOW)?.getTime() ?? 0);
    const due = Date.parse('2026-03-02T03:00:00Z');
    for (const time of at) assert.ok(time >= due && time < due + 10 * 60_000, String(time));
    assert.equal(new Set(at).size, 3);
    assert.equal(nextSyncAt('0 3 * * *', 'a', NOW)?.getTime(), at[0]);
  });

  it('limits the jitter to a small share of a short interval', () => {
    const at = nextSyncAt('*/5 * * * *', 'a', NOW)?.getTime() ?? 0;
    const due = Date.parse('2026-03-01T12:05:00Z');
    assert.ok(at >= due && at < due + 15_000);
  });

  it('returns null without a schedule', () => {
    for (const schedule of [undefined, null, '', 7]) assert.equal(nextSyncAt(schedule, 'a', NOW), null);
    assert.equal(nextSyncAt('0 0 30 2 *', 'a', NOW), null, '30 February');
  });

  it('rejects anything but a cron expression of five fields or a name', () => {
    for (const schedule of ['daily', '* * * * * *', '61 * * * *', '* * *'])
      assert.throws(() => nextSyncAt(schedule, 'a', NOW), /config\.schedule must be a cron expression/);
    assert.throws(
      () => firstSyncAt('2030-01-01T00:00:00', 'a'),
      /config\.schedule must be a cron expression/,
    );
    assert.ok(firstSyncAt('@daily', 'a'));
    assert.equal(firstSyncAt(null, 'a'), null);
  });
});
