import { describe, expect, it } from '@jest/globals';
import { firstSyncAt, nextSyncAt } from './schedule.js';

const NOW = new Date('2026-03-01T12:00:00Z');

describe('nextSyncAt', () => {
  it('returns the UTC time plus a jitter that is constant per seed', () => {
    const at = ['a', 'b', 'c'].map(
      (seed) => nextSyncAt({ schedule: '0 3 * * *' }, seed, NOW)?.getTime() ?? 0,
    );
    const due = Date.parse('2026-03-02T03:00:00Z');
    for (const time of at) {
      expect(time).toBeGreaterThanOrEqual(due);
      expect(time).toBeLessThan(due + 10 * 60_000);
    }
    expect(new Set(at).size).toBe(3);
    expect(nextSyncAt({ schedule: '0 3 * * *' }, 'a', NOW)?.getTime()).toBe(at[0]);
  });

  it('limits the jitter to a small share of a short interval', () => {
    const at = nextSyncAt({ schedule: '*/5 * * * *' }, 'a', NOW)?.getTime() ?? 0;
    const due = Date.parse('2026-03-01T12:05:00Z');
    expect(at).toBeGreaterThanOrEqual(due);
    expect(at).toBeLessThan(due + 15_000);
  });

  it('returns null without a schedule, and while it rests', () => {
    for (const schedule of [undefined, null, '', 7]) expect(nextSyncAt({ schedule }, 'a', NOW)).toBeNull();
    expect(nextSyncAt({ schedule: '@daily', paused: true }, 'a', NOW)).toBeNull();
    expect(nextSyncAt({ schedule: '@daily', paused: null }, 'a', NOW)).not.toBeNull();
    // 30 February.
    expect(nextSyncAt({ schedule: '0 0 30 2 *' }, 'a', NOW)).toBeNull();
  });

  it('rejects anything but a cron expression of five fields or a name', () => {
    for (const schedule of ['daily', '* * * * * *', '61 * * * *', '* * *'])
      expect(() => nextSyncAt({ schedule }, 'a', NOW)).toThrow(/config\.schedule must be a cron expression/);
    expect(() => firstSyncAt({ schedule: '2030-01-01T00:00:00' }, 'a')).toThrow(
      /config\.schedule must be a cron expression/,
    );
    expect(firstSyncAt({ schedule: '@daily' }, 'a')).toBeInstanceOf(Date);
    expect(firstSyncAt({ schedule: null }, 'a')).toBeNull();
  });
});
