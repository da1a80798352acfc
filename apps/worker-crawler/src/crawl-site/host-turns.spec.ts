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

  it('is waited for longer, where that is wanted, but not for any time', async () => {
    const patience: number[] = [];
    const gate = new HostGate({ concurrencyPerHost: 1, delayMs: 20 });
    const turns = new HostTurns(gate, {
      reserve: async (_host, _spacingMs, patienceMs) => {
        patience.push(patienceMs);
        return { waitMs: 0, isGranted: true };
      },
      pause: nothing,
    });
    const patient = { signal, isPatient: true };
    await turns.take(HOST, { signal }, nothing);
    await turns.take(HOST, patient, nothing);
    const [usualMs = 0, patientMs = 0] = patience;
    assert.ok(usualMs <= 10_000 && patientMs > 4 * 60_000, patience.join());
    const told = await gate.acquire(HOST);
    const waiting = turns.take(HOST, patient, nothing);
    told.release();
    await waiting;
    const longTold = turns.take(HOST, { signal }, async (tell) =>
      tell({ result: 'overloaded', retryAfterMs: 599_000 }),
    );
    const inVain = turns.take(HOST, patient, nothing);
    await longTold;
    await assert.rejects(inVain, HostBusyError);
    await assert.rejects(turns.take(HOST, patient, nothing), HostBusyError);
  });

  it('ends its wait for other crawlers when the run has to make room', async () => {
    const { turns } = turnsWith({ waitMs: 60_000, isGranted: true });
    const room = new AbortController();
    const waiting = turns.take(HOST, { signal, isPatient: true, patience: room.signal }, nothing);
    setTimeout(() => room.abort(new HostBusyError(HOST, 3_000)), 30);
    await assert.rejects(waiting, HostBusyError);
  });

  it('is no slower for the wait for other crawlers: the host has not had it', async () => {
    // A row that all crawlers stand in; the host answers at once.
    let nextStart = performance.now();
    const spacings: number[] = [];
    const paces = {
      reserve: async (_host: string, spacingMs: number) => {
        spacings.push(spacingMs);
        const start = Math.max(nextStart, performance.now());
        nextStart = start + spacingMs;
        return { waitMs: start - performance.now(), isGranted: true };
      },
      pause: nothing,
    };
    const crawlers = Array.from(
      { length: 4 },
      () => new HostTurns(new HostGate({ concurrencyPerHost: 4, delayMs: 10, slowAnswerMs: 30 }), paces),
    );
    await Promise.all(
      crawlers.flatMap((turns) =>
        Array.from({ length: 10 }, () =>
          turns.take(HOST, { signal }, async (tell) => tell({ result: 'ok' })),
        ),
      ),
    );
    assert.deepEqual(new Set(spacings), new Set([10]));
  });

  it('is not used once another request was told to wait', async () => {
    const gate = new HostGate({ concurrencyPerHost: 2, delayMs: 1 });
    const turns = new HostTurns(gate, {
      reserve: async () => ({ waitMs: 50, isGranted: true }),
      pause: nothing,
    });
    const waiting = turns.take(HOST, { signal }, nothing);
    const told = await gate.acquire(HOST);
    told.release({ result: 'overloaded', retryAfterMs: 60_000 });
    await assert.rejects(waiting, HostBusyError);
  });

  it('is not waited for when the run has to make room, and goes on once it has begun', async () => {
    const { turns } = turnsWith({ waitMs: 0, isGranted: true }, 0);
    const room = new AbortController();
    const options = { signal, patience: room.signal };
    const work = Promise.withResolvers<string>();
    const underWay = turns.take(HOST, options, () => work.promise);
    const waiting = turns.take(HOST, options, nothing);
    room.abort(new HostBusyError(HOST, 3_000));
    await assert.rejects(waiting, HostBusyError);
    work.resolve('answered');
    assert.equal(await underWay, 'answered');
    await assert.rejects(turns.take(HOST, options, nothing), HostBusyError);
    await turns.take(HOST, { signal }, nothing);
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
