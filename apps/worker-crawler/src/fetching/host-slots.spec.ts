import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HostBusyError } from './host-busy.error.js';
import { HostSlots } from './host-slots.js';

it('HostSlots gives one host at most half of the slots', async () => {
  const slots = new HostSlots(4);
  const work = Promise.withResolvers<void>();
  const running = [1, 2].map(() => slots.hold('slow.example', () => work.promise));
  await assert.rejects(
    slots.hold('slow.example', async () => 'third'),
    HostBusyError,
  );
  assert.equal(await slots.hold('fast.example', async () => 'other'), 'other');
  work.resolve();
  await Promise.all(running);
  assert.equal(await slots.hold('slow.example', async () => 'free again'), 'free again');
  await assert.rejects(
    slots.hold('slow.example', () => Promise.reject(new Error('failed'))),
    /failed/,
  );
  assert.equal(await new HostSlots(1).hold('only.example', async () => 'one'), 'one');
});
