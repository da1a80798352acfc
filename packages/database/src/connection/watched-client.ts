import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import pg from 'pg';
import type { QueryRunner } from 'typeorm';

/** read_only_sql_transaction: the server is a standby. */
export const READ_ONLY = '25006';

/** The part of the driver's connection that its types leave out. */
interface Connection extends EventEmitter {
  readonly stream: Socket;
}

/** Settings of {@link WatchedClient}, in the `extra` of a data source. */
export interface WatchSettings {
  /** A statement is answered within this time, because the server cancels it earlier. */
  silenceLimitMs: number;
}

/**
 * A connection that closes itself when it is of no more use, so that the pool replaces it. The driver does not notice
 * that the network has lost a connection, and the system does so after a quarter of an hour. A server that became a
 * standby in a failover still answers, and refuses every write.
 */
export class WatchedClient extends pg.Client {
  private readonly silenceLimitMs: number;

  constructor(config: pg.ClientConfig & WatchSettings) {
    super(config);
    this.silenceLimitMs = config.silenceLimitMs;
    this.once('connect', () => this.watch());
  }

  /** Whether a statement may be without an answer for longer than the limit. */
  mayBeSilent(isAllowed: boolean): void {
    this.wire.stream.setTimeout(isAllowed ? 0 : this.silenceLimitMs);
  }

  private watch(): void {
    const { stream } = this.wire;
    let answeredBytes = stream.bytesWritten;
    // Before the driver's own listener, which sends the next statement.
    this.wire.prependListener('readyForQuery', () => (answeredBytes = stream.bytesWritten));
    // After the driver's own listener, which passes the error on.
    this.wire.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === READ_ONLY) this.giveUp();
    });
    stream.setTimeout(this.silenceLimitMs);
    stream.on('timeout', () => {
      if (stream.bytesWritten > answeredBytes) this.giveUp();
    });
  }

  /** The pool takes no connection back that has ended. A statement without an answer fails at once. */
  private giveUp(): void {
    void this.end().catch(() => undefined);
  }

  private get wire(): Connection {
    return (this as unknown as { connection: Connection }).connection;
  }
}

/** Lets the statements of a connection take as long as they need, or ends that. */
export async function liftTimeLimits(runner: QueryRunner, isLifted: boolean): Promise<void> {
  // Not typed by TypeORM.
  const client: unknown = await runner.connect();
  if (client instanceof WatchedClient) client.mayBeSilent(isLifted);
  for (const limit of ['lock_timeout', 'statement_timeout'])
    await runner.query(isLifted ? `SET ${limit} = 0` : `RESET ${limit}`);
}
