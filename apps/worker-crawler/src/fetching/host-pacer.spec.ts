import assert from 'node:assert/strict';
import type { HostReservation } from '@citewell/database';
import { HostGate } from '@citewell/web';
import { describe, expect, it } from '@jest/globals';
import { HostBusyError, HostPacer, HostSlots } from './host-pacer.js';

const HOST = 'site.example';
const { signal } = new AbortController();
const nothing = async (): Promise<void> => undefined;

/** @param reservation what Postgres answers */
function pacerWith(reservation: HostReservation, { delayMs = 20, concurrencyPerHost = 1 } = {}) {
  const shared: string[] = [];
  const gate = new HostGate({ concurrencyPerHost, delayMs });
  const pacer = new HostPacer(gate, {
    reserve: async (host, spacingMs, maxWaitMs) => {
      shared.push(`reserve ${host} ${spacingMs} ${maxWaitMs}`);
      return reservation;
    },
    pause: async (host, ms) => void shared.push(`pause ${host} ${Math.round(ms / 1_000)} s`),
  });
  return { pacer, gate, shared };
}

describe('HostPacer', () => {
  it('waits for the requests of other crawlers', async () => {
    const { pacer, shared } = pacerWith({ waitMs: 60, isGranted: true });
    const started = performance.now();
    const waited = await pacer.run(HOST, { signal }, async () => performance.now() - started);
    expect(waited).toBeGreaterThanOrEqual(55);
    expect(shared).toEqual([`reserve ${HOST} 20 30000`]);
  });

  it('keeps the delay of robots.txt', async () => {
    const { pacer, shared } = pacerWith({ waitMs: 0, isGranted: true });
    await pacer.run(HOST, { signal, crawlDelayMs: 3_000, maxWaitMs: 60_000 }, nothing);
    expect(shared).toEqual([`reserve ${HOST} 3000 60000`]);
  });

  it('asks Postgres nothing where requests have no delay', async () => {
    const { pacer, shared } = pacerWith({ waitMs: 60_000, isGranted: false }, { delayMs: 0 });
    await pacer.run(HOST, { signal }, nothing);
    expect(shared).toEqual([]);
  });

  it('does not wait for a host that is busy for long, and returns its permit', async () => {
    const reservation = { waitMs: 90_000, isGranted: false };
    const { pacer } = pacerWith(reservation);
    const busy = await pacer.run(HOST, { signal }, nothing).catch((error: unknown) => error);
    assert.ok(busy instanceof HostBusyError);
    expect(busy.retryAfterMs).toBe(90_000);
    Object.assign(reservation, { waitMs: 0, isGranted: true });
    await pacer.run(HOST, { signal }, nothing);
  });

  it('does not wait longer for a permit than asked', async () => {
    const { pacer, gate } = pacerWith({ waitMs: 0, isGranted: true }, { delayMs: 0 });
    const permit = await gate.acquire(HOST, { signal });
    await expect(pacer.run(HOST, { signal, maxWaitMs: 20 }, nothing)).rejects.toThrow(HostBusyError);
    permit.release();
    await pacer.run(HOST, { signal, maxWaitMs: 20 }, nothing);
  });

  it('shares a pause that a server asks for', async () => {
    const { pacer, shared } = pacerWith({ waitMs: 0, isGranted: true });
    await pacer.run(HOST, { signal }, async (report) =>
      report({ result: 'overloaded', retryAfterMs: 120_000 }),
    );
    expect(shared.slice(1)).toEqual([`pause ${HOST} 120 s`]);
    await expect(pacer.run(HOST, { signal }, nothing)).rejects.toThrow(HostBusyError);
  });

  it('sends no request after another one was answered with a pause', async () => {
    const { pacer, gate } = pacerWith({ waitMs: 50, isGranted: true }, { delayMs: 1, concurrencyPerHost: 2 });
    const waiting = pacer.run(HOST, { signal }, nothing);
    const permit = await gate.acquire(HOST, { signal });
    permit.release({ result: 'overloaded', retryAfterMs: 60_000 });
    await expect(waiting).rejects.toThrow(HostBusyError);
  });

  it('returns its permit when it is aborted or the request fails', async () => {
    const reservation = { waitMs: 60_000, isGranted: true };
    const { pacer } = pacerWith(reservation);
    const stop = new AbortController();
    const waiting = pacer.run(HOST, { signal: stop.signal }, nothing);
    setTimeout(() => stop.abort(new Error('cancelled')), 30);
    await expect(waiting).rejects.toThrow(/cancelled/);
    reservation.waitMs = 0;
    await expect(pacer.run(HOST, { signal }, () => Promise.reject(new TypeError('broken')))).rejects.toThrow(
      /broken/,
    );
    await pacer.run(HOST, { signal }, nothing);
  });
});

it('HostSlots gives one host at most half of the slots', async () => {
  const slots = new HostSlots(4);
  const work = Promise.withResolvers<void>();
  const running = [1, 2].map(() => slots.hold('slow.example', () => work.promise));
  await expect(slots.hold('slow.example', async () => 'third')).rejects.toThrow(HostBusyError);
  expect(await slots.hold('fast.example', async () => 'other')).toBe('other');
  work.resolve();
  await Promise.all(running);
  expect(await slots.hold('slow.example', async () => 'free again')).toBe('free again');
  await expect(slots.hold('slow.example', () => Promise.reject(new Error('failed')))).rejects.toThrow(
    /failed/,
  );
  expect(await new HostSlots(1).hold('only.example', async () => 'one')).toBe('one');
});
