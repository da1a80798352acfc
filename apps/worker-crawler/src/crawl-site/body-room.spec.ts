import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import { RetryLaterError } from '@citewell/ingestion';
import { BodyRooms } from './body-room.js';

const never = new AbortController().signal;

it('takes in a few large bodies at once, as long as they are worked on, and any number of others', async () => {
  const rooms = new BodyRooms();
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const taken: number[] = [];
  const works = ends.map((end, body) =>
    rooms.hold('one', never, async (room) => {
      await room.beLarge();
      await room.beLarge();
      taken.push(body);
      await end.promise;
    }),
  );
  await rooms.hold('another', never, async () => undefined);
  await tick();
  assert.deepEqual(taken, [0, 1]);
  ends[1]?.resolve();
  await tick();
  assert.deepEqual(taken, [0, 1, 2]);
  for (const end of ends) end.resolve();
  await Promise.all(works);
  assert.deepEqual(taken, [0, 1, 2, 3]);
});

it('gives a body up that waits for long, since its host waits too', async (t) => {
  t.mock.method(AbortSignal, 'timeout', () => AbortSignal.abort(new Error('late')));
  const rooms = new BodyRooms();
  const beLarge = rooms.hold('one', never, (room) => room.beLarge());
  await assert.rejects(beLarge, RetryLaterError);
  const stopped = AbortSignal.abort(new Error('stopped'));
  await assert.rejects(
    rooms.hold('one', stopped, (room) => room.beLarge()),
    /stopped/,
  );
});
