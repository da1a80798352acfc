/**
 * Parses a `Retry-After` header: seconds or an HTTP date (RFC 9110, section 10.2.3).
 *
 * @param nowMs milliseconds since the epoch
 * @returns milliseconds to wait, never negative; undefined if the header is absent or invalid
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  // Every HTTP date has letters. `Date.parse` would also accept `-5`.
  const date = /[a-z]/i.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
