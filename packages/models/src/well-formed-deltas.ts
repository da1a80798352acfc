/**
 * Rejoins surrogate pairs that a provider splits between two deltas: a high surrogate is buffered until the
 * next delta. The concatenated output equals the concatenated input.
 */
export class WellFormedDeltas {
  private buffered = '';

  /** Adds a delta and returns the text that can be emitted, possibly empty. */
  push(delta: string): string {
    const text = this.buffered + delta;
    const end = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length;
    this.buffered = text.slice(end);
    return text.slice(0, end);
  }

  /** Returns the buffered text: an unpaired high surrogate, or nothing. */
  flush(): string {
    const remainder = this.buffered;
    this.buffered = '';
    return remainder;
  }
}

/** Whether a code unit is the first half of a surrogate pair. */
export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
