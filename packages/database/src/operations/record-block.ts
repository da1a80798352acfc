import { randomUUID } from 'node:crypto';
import type { EventLoopBlock } from '@citewell/observability';
import pg from 'pg';
import { ownModelAccount } from '../models/provider-pause.repository.js';

/** Two blocks by one run reach the limit of crashes: `CRASH_LIMIT` is 20, and the end of the lease counts one. */
const CRASHES_PER_BLOCK = 9;
const MODEL_PAUSE_MINUTES = 10;
const KEPT_DAYS = 30;
const TIMEOUT_MS = 2_000;

/**
 * Stores a block of an event loop. If a run caused the block, the block counts as half of the crashes after which a run is
 * given up, and the run loses its lease, so that another process can take it at once. If the answer of an own chat model
 * caused the block, the model is paused. The watchdog calls this function in its thread.
 */
export async function recordBlock(
  databaseUrl: string,
  { app, stack, context }: EventLoopBlock,
): Promise<void> {
  const { runId = null, requestId = null, ownModelOf = null } = context;
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'citewell-watchdog',
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO event_loop_blocks (id, app, run_id, request_id, stack) VALUES ($1, $2, $3, $4, $5)`,
      [randomUUID(), app, runId, requestId, stack.join('\n')],
    );
    await client.query(
      `UPDATE runs SET crashes = crashes + ${CRASHES_PER_BLOCK}, lease_until = now() - interval '1 second'
        WHERE id = $1 AND state = 'active'`,
      [runId],
    );
    await client.query(
      `INSERT INTO provider_pauses (account, until)
       SELECT $1::text, now() + make_interval(mins => ${MODEL_PAUSE_MINUTES}) WHERE $1::text IS NOT NULL
       ON CONFLICT (account) DO UPDATE SET until = excluded.until`,
      [ownModelOf === null ? null : ownModelAccount(String(ownModelOf))],
    );
    await client.query(
      `DELETE FROM event_loop_blocks WHERE at < now() - make_interval(days => ${KEPT_DAYS})`,
    );
  } finally {
    await client.end();
  }
}
