/**
 * Puts surrogate pairs together again that a provider has cut in half between two deltas: the first half waits for the
 * second. Joined, what comes out is what went in.
 */
export class WellFormedDeltas {
  private held = '';

  /** Takes a delta and gives what can be passed on, possibly nothing. */
  push(delta: string): string {
    const text = this.held + delta;
    const cut = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length;
    this.held = text.slice(cut);
    return text.slice(0, cut);
  }

  /** What is left at the end: a half whose other half never came, or nothing. */
  flush(): string {
    const rest = this.held;
    this.held = '';
    return rest;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
