import { WebFetchError } from './guard/fetch-errors.js';
import { isLoopback } from './loopback.js';

/**
 * The hosts that variables name, if the process works offline. It belongs to the process, not to a client, so that no client
 * can be forgotten.
 */
let named: ReadonlySet<string> | null = null;

/** @param hosts the names of the hosts that may be called; null for all */
export function restrictToHosts(hosts: readonly string[] | null): void {
  named = hosts === null ? null : new Set(hosts);
}

export function isOffline(): boolean {
  return named !== null;
}

/** @throws WebFetchError `OFFLINE` for a host that no variable names */
export function assertNamedHost(url: string | URL): void {
  const { protocol, hostname } = new URL(url);
  if (named === null || !/^https?:$/.test(protocol) || named.has(hostname) || isLoopback(hostname)) return;
  throw offlineRefusal();
}

export function offlineRefusal(): WebFetchError {
  return new WebFetchError(
    'blocked',
    'OFFLINE',
    'The server works offline. It connects only to hosts that its variables name, and to private networks that they allow.',
  );
}

/** The refusal in an error of a client or in its causes. */
export function offlineRefusalIn(error: unknown): WebFetchError | null {
  if (error instanceof WebFetchError) return error.code === 'OFFLINE' ? error : null;
  return error instanceof Error ? offlineRefusalIn(error.cause) : null;
}
