import type { IncomingMessage } from 'node:http';

/** How much of a refused body is read, and for how long, before the connection is closed. */
const MAX_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

/**
 * Reads and drops the rest of a refused body. An unread rest would block the connection: a client that is
 * still sending may never read the response, and its next request would never arrive. Above {@link MAX_BYTES}
 * or {@link TIMEOUT_MS} the connection is closed instead.
 */
export function drainBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), TIMEOUT_MS);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
  request.once('end', () => clearTimeout(timer));
  // The multipart parser has failed and may have stopped reading.
  request.unpipe();
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) request.destroy();
  });
  request.resume();
}
