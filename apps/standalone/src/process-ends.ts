/** Ends this process as another one has ended. */
export function endLike(code: number | null, signal: NodeJS.Signals | null): never {
  if (signal !== null) process.kill(process.pid, signal);
  process.exit(code ?? 1);
}

/** Ends this process by SIGKILL as soon as the one that started it has ended: it can work for nobody. */
export function endWithSupervisor(): void {
  const end = (): boolean => process.kill(process.pid, 'SIGKILL');
  process.once('disconnect', end);
  // It ended before. Without a channel, nobody has started this process in this way.
  if (process.connected === false) end();
}
