import type { BodyRoom } from './body-room.js';
import type { Seat } from './host-seats.js';

/** A seat at every host, for good. */
export const ANY_SEAT: Seat = { patience: new AbortController().signal, enter: () => undefined };

/** For a body of any size. */
export const ANY_ROOM: BodyRoom = { beLarge: async () => undefined };
