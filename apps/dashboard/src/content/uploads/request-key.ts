const BYTES = 16;

/** An idempotency key. `crypto.randomUUID` exists only in pages of HTTPS and of the own computer. */
export function requestKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
