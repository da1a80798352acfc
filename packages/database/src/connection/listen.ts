import type pg from 'pg';
import { WatchedClient } from './watched-client.js';

/** A subscription to a NOTIFY channel. */
export interface Listener {
  close(): Promise<void>;
}

export interface ListenerCallbacks {
  /** Called at every NOTIFY of the channel. */
  onNotify: () => void;
  /** Called whenever the connection is established, also the first time. Earlier notifications are lost. */
  onConnect?: () => void;
}

const RECONNECT_MS = 1_000;
/** Between two checks that the connection still exists, and the longest time for the answer. */
const CHECK_MS = 10_000;

/**
 * Calls back at every NOTIFY of a channel, over a connection of its own that reconnects. Notifications are
 * hints: some are lost while the connection is down, so callers also poll.
 */
export function listen(
  url: string,
  channel: string,
  { onNotify, onConnect = () => undefined }: ListenerCallbacks,
  checkMs = CHECK_MS,
): Listener {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const connect = async (): Promise<void> => {
    const next = new WatchedClient({
      connectionString: url,
      keepAlive: true,
      application_name: 'citewell-listen',
      connectionTimeoutMillis: CHECK_MS,
      silenceLimitMs: checkMs,
    });
    client = next;
    next.on('notification', onNotify);
    next.on('error', () => retry(next));
    next.on('end', () => retry(next));
    try {
      await next.connect();
      await next.query(`LISTEN ${next.escapeIdentifier(channel)}`);
      onConnect();
    } catch {
      retry(next);
    }
  };
  const retry = (failed: pg.Client): void => {
    if (closed || client !== failed) return;
    client = undefined;
    failed.removeAllListeners();
    failed.on('error', () => undefined);
    failed.end().catch(() => undefined);
    timer = setTimeout(() => void connect(), RECONNECT_MS);
  };

  // A connection that the network has lost is silent like one without notifications.
  const check = setInterval(() => void client?.query('SELECT 1').catch(() => undefined), checkMs);
  void connect();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(check);
      await client?.end().catch(() => undefined);
    },
  };
}
