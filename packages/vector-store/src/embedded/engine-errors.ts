/** Primary result codes of transient failures (https://sqlite.org/rescode.html). */
const TRANSIENT_CODES: ReadonlySet<number> = new Set([
  5, // BUSY: another process writes
  6, // LOCKED
  7, // NOMEM
  10, // IOERR
  13, // FULL: the disk is full
  14, // CANTOPEN: the directory does not exist yet, or no file handle is left
]);

/** Whether an error of SQLite or of the file system is transient, and not due to the request or the data. */
export function isTransientEngineError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // A failed system call: the directory cannot be created, access is denied, or the disk is full.
  if ('syscall' in error) return true;
  // The low byte of an extended code is the primary one.
  return 'errcode' in error && typeof error.errcode === 'number' && TRANSIENT_CODES.has(error.errcode & 0xff);
}
