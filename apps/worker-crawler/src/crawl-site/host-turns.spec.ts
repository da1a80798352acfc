import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HostReservation } from '@citewell/database';
import { HostGate } from '@citewell/web';
import { HostBusyError } from './host-busy.error.js';
import { HostTurns } from './host-turns.js';

const HOST = 'site.example';
const { signal } = new AbortController();
const nothing = async (): Promise<void> => undefined;

/** @param reservation what the crawlers have agreed on */
function turnsWith(reservation: HostReservation, delayMs = 20) {
  const agreed: string[] = [];
  const gate = new HostGate({ concurrencyPerHost: 1, delayMs });
  const turns = new HostTurns(gate, {
    reserve: async (host, spacingMs) => {
      agreed.push(`reserve ${host} ${spacingMs}`);
      return reservation;
    },
    pause: async (host, ms) => void agreed.push(`pause ${host} ${Math.round(ms / 1_000)} s`),
  });
  return { turns, agreed };
}

describe('a turn at a host', () => {
  it('begins when those of other crawlers have', async () => {
    const { turns, agreed } = turnsWith({ waitMs: 60, isGranted: true });
    const started = performance.now();
    const waited = await turns.take(HOST, { signal }, async () => performance.now() - started);
    assert.ok(waited >= 55, `${waited} ms`);
    assert.deepEqual(agreed, [`reserve ${HOST} 20`]);
  });

  it('is as far from the next one as robots.txt asks for', async () => {
    const { turns, agreed } = turnsWith({ waitMs: 0, isGranted: true });
    await turns.take(HOST, { signal, crawlDelayMs: 3_000 }, nothing);
    assert.deepEqual(agreed, [`reserve ${HOST} 3000`]);
  });

  it('asks nobody where nothing is between two requests', async () => {
    const { turns, agreed } = turnsWith({ waitMs: 60_000, isGranted: false }, 0);
    await turns.take(HOST, { signal }, nothing);
    assert.deepEqual(agreed, []);
  });

  it('is not waited for when another crawler was told to leave the host alone, and is given back', async () => {
    const reservation = { waitMs: 90_000, isGranted: false };
    const { turns } = turnsWith(reservation);
    const busy = await turns.take(HOST, { signal }, nothing).catch((error: unknown) => error);
    assert.ok(busy instanceof HostBusyError);
    assert.equal(busy.retryAfterMs, 90_000);
    Object.assign(reservation, { waitMs: 0, isGranted: true });
    await turns.take(HOST, { signal }, nothing);
  });

  it('that ends with a pause tells the other crawlers', async () => {
    const { turns, agreed } = turnsWith({ waitMs: 0, isGranted: true });
    await turns.take(HOST, { signal }, async (tell) => tell({ result: 'overloaded', retryAfterMs: 120_000 }));
    assert.deepEqual(agreed, [`reserve ${HOST} 20`, `pause ${HOST} 120 s`]);
    await assert.rejects(turns.take(HOST, { signal }, nothing), HostBusyError);
  });

  it('is given back when it is called off, or its work fails', async () => {
    const reservation = { waitMs: 60_000, isGranted: true };
    const { turns } = turnsWith(reservation);
    const stop = new AbortController();
    const waiting = turns.take(HOST, { signal: stop.signal }, nothing);
    setTimeout(() => stop.abort(new Error('cancelled')), 30);
    await assert.rejects(waiting, /cancelled/);
    reservation.waitMs = 0;
    await assert.rejects(
      turns.take(HOST, { signal }, () => Promise.reject(new TypeError('broken'))),
      /broken/,
    );
    await turns.take(HOST, { signal }, nothing);
  });
});
