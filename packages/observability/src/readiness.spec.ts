import { describe, expect, it } from '@jest/globals';
import { FullStorage } from './readiness.js';

/** With a clock in seconds, and a watcher of the disk that checks at each report, as `DiskReserve` does. */
function watched(): {
  storage: FullStorage;
  setWarning: (warning: string | null) => void;
  wait: (seconds: number) => void;
} {
  let seconds = 0;
  let current: string | null = null;
  const storage = new FullStorage(() => seconds * 1_000);
  storage.onReport(() => storage.setLow(current));
  return {
    storage,
    setWarning(warning) {
      current = warning;
      storage.setLow(warning);
    },
    wait: (more) => void (seconds += more),
  };
}

describe('FullStorage', () => {
  it('tells a full quota, bucket or database for a minute, although the watched disk has space', () => {
    const { storage, setWarning, wait } = watched();
    setWarning(null);
    expect(storage.status).toBe('ok');
    storage.report();
    setWarning(null);
    expect(storage.status).toBe('is full, writes are refused');
    expect(storage.isLow).toBe(false);
    wait(59);
    setWarning(null);
    expect(storage.isFull).toBe(true);
    wait(2);
    expect(storage.status).toBe('ok');
  });

  it('tells a full disk until there is room, and not longer', () => {
    const { storage, setWarning, wait } = watched();
    setWarning('1 MB are free');
    storage.report();
    wait(600);
    expect(storage.status).toBe('is full, writes are refused: 1 MB are free');
    storage.report();
    setWarning(null);
    expect(storage.status).toBe('ok');
  });
});
