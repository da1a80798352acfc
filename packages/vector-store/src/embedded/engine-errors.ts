/** Primary result codes (https://sqlite.org/rescode.html) after which trying again later may help. */
const TRANSIENT_CODES: ReadonlySet<number> = new Set([
  5, // BUSY: another process writes
  6, // LOCKED
  7, // NOMEM
  10, // IOERR
  13, // FULL: the disk is full
  14, // CANTOPEN: the directory is not there yet, or no file handle is left
]);

/** Whether an error of SQLite or of the file system is about circumstances, not about the request or the contents. */
export function isTransientEngineError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // An error of a system call: the directory cannot be made, is not ours, or has no room.
  if ('syscall' in error) return true;
  // The low byte of an extended code is the primary one.
  return 'errcode' in error && typeof error.errcode === 'number' && TRANSIENT_CODES.has(error.errcode & 0xff);
}
