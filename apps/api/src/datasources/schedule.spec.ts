import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { firstSyncAt, nextSyncAt } from './schedule.js';

const NOW = new Date('2026-03-01T12:00:00Z');

describe('a schedule', () => {
  it('is a time in UTC, a little later for each datasource, and always the same for one', () => {
    const at = ['a', 'b', 'c'].map((seed) => nextSyncAt('0 3 * * *', seed, NOW)?.getTime() ?? 0);
    const due = Date.parse('2026-03-02T03:00:00Z');
    for (const time of at) assert.ok(time >= due && time < due + 10 * 60_000, String(time));
    assert.equal(new Set(at).size, 3);
    assert.equal(nextSyncAt('0 3 * * *', 'a', NOW)?.getTime(), at[0]);
  });

  it('is spread over a small part of a short interval', () => {
    const at = nextSyncAt('*/5 * * * *', 'a', NOW)?.getTime() ?? 0;
    const due = Date.parse('2026-03-01T12:05:00Z');
    assert.ok(at >= due && at < due + 15_000);
  });

  it('may be none', () => {
    for (const none of [undefined, null, '', 7]) assert.equal(nextSyncAt(none, 'a', NOW), null);
    assert.equal(nextSyncAt('0 0 30 2 *', 'a', NOW), null, 'the thirtieth of February');
  });

  it('is refused when it is no cron expression of five fields', () => {
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
