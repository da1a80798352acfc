/** Time, as far as waiting needs it; tests turn it by hand. */
export interface Clock {
  /** Milliseconds from any fixed point; it never goes back. */
  nowMs(): number;
  /** Calls back once. @returns how to call it off */
  after(delayMs: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};
