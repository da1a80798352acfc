/** Writes a line to standard output. */
export function print(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** Writes a line to standard error: errors, and information that is not part of the result. */
export function printToStderr(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Shows progress in a line that the next call overwrites. No effect if standard error is not a terminal. */
export function showProgress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${line}`);
}

/** Ends the process without an error when the reader closes the pipe, as in `citewell ls | head`. */
export function stopOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}
