export interface Confinement {
  /** CPU time of the process over all threads. The kernel enforces it, even when the worker is dead. */
  readonly cpuSeconds: number;
  /**
   * Address space in bytes. Not suitable for programs that reserve more than they use, such as Node. Default:
   * no limit.
   */
  readonly addressSpaceBytes?: number;
  /**
   * File descriptor of a pipe that ends with this process; a process that is in an endless loop is then killed. A line
   * that is written to the pipe releases the process. Default: none.
   */
  readonly parentPipe?: number;
  /** Command prefix that removes network access; see {@link networkIsolation}. */
  readonly isolation: readonly string[];
}

/**
 * Wraps a command in kernel limits (`ulimit`). Every step uses `exec`, so the process keeps its id. On
 * Windows the command is returned as it is.
 */
export function confined(
  command: readonly [string, ...string[]],
  { cpuSeconds, addressSpaceBytes, parentPipe, isolation }: Confinement,
): [command: string, args: string[]] {
  const [program, ...args] = command;
  if (process.platform === 'win32') return [program, args];
  const limits = [`ulimit -t ${Math.ceil(cpuSeconds)}`];
  // In kilobytes. Ignored on systems without this limit.
  if (addressSpaceBytes !== undefined)
    limits.push(`ulimit -v ${Math.ceil(addressSpaceBytes / 1024)} 2>/dev/null || true`);
  // A shell beside the process, without its other descriptors: the channel to this process has to end with the process.
  const closed = Array.from({ length: parentPipe ?? 0 }, (_, fd) => (fd < 3 ? '' : `${fd}>&-`)).join(' ');
  const watch =
    parentPipe === undefined
      ? ''
      : `( ( read -r line <&${parentPipe} || kill -KILL $$ ) ${closed} >/dev/null 2>&1 & ); exec ${parentPipe}>&-; `;
  return ['/bin/sh', ['-c', `${watch}${limits.join('; ')}; exec "$@"`, 'sh', ...isolation, ...command]];
}
