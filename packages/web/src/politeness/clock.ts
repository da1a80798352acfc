/** A monotonic clock with timers. Tests advance a fake one. */
export interface Clock {
  /** Milliseconds from any fixed point. Never decreases. */
  nowMs(): number;
  /** Calls back once. @returns a function that cancels the timer */
  after(delayMs: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};
