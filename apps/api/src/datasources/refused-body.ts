import type { IncomingMessage } from 'node:http';

/** More than this is not read for the sake of a connection; with it, so long. */
const MOST_BYTES = 16 * 1024 * 1024;
const LONGEST_MS = 30_000;

/**
 * Reads and drops the rest of a body that is refused. Left unread, it would block the connection: a client that is
 * still sending may never look at the answer, and its next request on the connection would never arrive. A rest that is
 * very long, or very slow, ends the connection instead.
 */
export function dropRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), LONGEST_MS);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
  request.once('end', () => clearTimeout(timer));
  // Its reader has given up, and may not ask for more.
  request.unpipe();
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) request.destroy();
  });
  request.resume();
}
