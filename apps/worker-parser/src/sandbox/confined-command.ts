export interface Confinement {
  /** CPU time of the process, all threads together. The kernel ends it, also when its worker is gone. */
  readonly cpuSeconds: number;
  /** Address space in bytes; not for programs that reserve more than they use, as Node does. Default: no limit. */
  readonly addressSpaceBytes?: number;
  /** See {@link networkIsolation}. */
  readonly isolation: readonly string[];
}

/** A command under limits of the kernel. It keeps the process id that it is started with. */
export function confined(
  command: readonly [string, ...string[]],
  { cpuSeconds, addressSpaceBytes, isolation }: Confinement,
): [command: string, args: string[]] {
  const [program, ...args] = command;
  if (process.platform === 'win32') return [program, args];
  const limits = [`ulimit -t ${Math.ceil(cpuSeconds)}`];
  // In kilobytes. Not every system has this one, and then it is not worth an error.
  if (addressSpaceBytes !== undefined)
    limits.push(`ulimit -v ${Math.ceil(addressSpaceBytes / 1024)} 2>/dev/null || true`);
  return ['/bin/sh', ['-c', `${limits.join('; ')}; exec "$@"`, 'sh', ...isolation, ...command]];
}
