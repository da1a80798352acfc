/** Writes a line to standard output. */
export function print(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** Writes a line for the person at the terminal, beside what the command is asked for. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Shows what is going on in one line that the next one overwrites; nothing where no person looks. */
export function showProgress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${line}`);
}

/** Ends quietly when the reader of a pipe has had enough, as in `citewell ls | head`. */
export function stopOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}
