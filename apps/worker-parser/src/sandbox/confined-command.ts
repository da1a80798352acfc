export interface Confinement {
  /** CPU time of the process over all threads. The kernel enforces it, even when the worker is dead. */
  readonly cpuSeconds: number;
  /**
   * Address space in bytes. Not suitable for programs that reserve more than they use, such as Node. Default:
   * no limit.
   */
  readonly addressSpaceBytes?: number;
  /** Command prefix that removes network access; see {@link networkIsolation}. */
  readonly isolation: readonly string[];
}

/**
 * Wraps a command in kernel limits (`ulimit`). Every step uses `exec`, so the process keeps its id. On
 * Windows the command is returned as it is.
 */
export function confined(
  command: readonly [string, ...string[]],
  { cpuSeconds, addressSpaceBytes, isolation }: Confinement,
): [command: string, args: string[]] {
  const [program, ...args] = command;
  if (process.platform === 'win32') return [program, args];
  const limits = [`ulimit -t ${Math.ceil(cpuSeconds)}`];
  // In kilobytes. Ignored on systems without this limit.
  if (addressSpaceBytes !== undefined)
    limits.push(`ulimit -v ${Math.ceil(addressSpaceBytes / 1024)} 2>/dev/null || true`);
  return ['/bin/sh', ['-c', `${limits.join('; ')}; exec "$@"`, 'sh', ...isolation, ...command]];
}
