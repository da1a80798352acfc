import { expect, it } from '@jest/globals';
import { HostBusyError, HostSlots } from './host-slots.js';

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
