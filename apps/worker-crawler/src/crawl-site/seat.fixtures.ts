import type { Seat } from './host-seats.js';

/** A seat at every host, for good. */
export const ANY_SEAT: Seat = { patience: new AbortController().signal, enter: () => undefined };
