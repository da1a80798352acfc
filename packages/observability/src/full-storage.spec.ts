import { describe, expect, it } from '@jest/globals';
import { FullStorage } from './full-storage.js';

/** With a clock in seconds, and a watcher of the disk that checks at each report, as `DiskReserve` does. */
function watched(): {
  storage: FullStorage;
  setRemark: (remark: string | null) => void;
  wait: (seconds: number) => void;
} {
  let seconds = 0;
  let current: string | null = null;
  const storage = new FullStorage(() => seconds * 1_000);
  storage.onReport(() => storage.setLow(current));
  return {
    storage,
    setRemark(remark) {
      current = remark;
      storage.setLow(remark);
    },
    wait: (more) => void (seconds += more),
  };
}

describe('FullStorage', () => {
  it('tells a full quota, bucket or database for a minute, although the watched disk has space', () => {
    const { storage, setRemark, wait } = watched();
    setRemark(null);
    expect(storage.remark).toBe('ok');
    storage.report();
    setRemark(null);
    expect(storage.remark).toBe('is full, writes are refused');
    expect(storage.isLow).toBe(false);
    wait(59);
    setRemark(null);
    expect(storage.isFull).toBe(true);
    wait(2);
    expect(storage.remark).toBe('ok');
  });

  it('tells a full disk until there is room, and not longer', () => {
    const { storage, setRemark, wait } = watched();
    setRemark('1 MB are free');
    storage.report();
    wait(600);
    expect(storage.remark).toBe('is full, writes are refused: 1 MB are free');
    storage.report();
    setRemark(null);
    expect(storage.remark).toBe('ok');
  });
});
