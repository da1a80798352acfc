import { v7 } from 'uuid';

/** A UUIDv7 (RFC 9562): later ids sort after earlier ones, also within one millisecond of one process. */
export function newId(): string {
  return v7();
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a client's string has the format of an id. Others are unknown without a query. */
export function isId(value: string): boolean {
  return UUID.test(value);
}
