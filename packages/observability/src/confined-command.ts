import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface Confinement {
  /** CPU time of the process over all threads. The kernel enforces it, even when the worker is dead. */
  readonly cpuSeconds: number;
  /**
   * Address space in bytes. Not suitable for programs that reserve more than they use, such as Node. Default:
   * no limit.
   */
  readonly addressSpaceBytes?: number;
  /** Size of a file that the process writes, in bytes. Default: no limit. */
  readonly fileBytes?: number;
  /** Command prefix that removes network access; see {@link networkIsolation}. */
  readonly isolation: readonly string[];
}

/**
 * Wraps a command in kernel limits (`ulimit`). Every step uses `exec`, so the process keeps its id. On
 * Windows the command is returned as it is.
 */
export function confined(
  command: readonly [string, ...string[]],
  { cpuSeconds, addressSpaceBytes, fileBytes, isolation }: Confinement,
): [command: string, args: string[]] {
  const [program, ...args] = command;
  if (process.platform === 'win32') return [program, args];
  const limits = [`ulimit -t ${Math.ceil(cpuSeconds)}`];
  // In blocks of 512 bytes; some shells count 1024.
  if (fileBytes !== undefined) limits.push(`ulimit -f ${Math.ceil(fileBytes / 512)}`);
  // In kilobytes. Ignored on systems without this limit.
  if (addressSpaceBytes !== undefined)
    limits.push(`ulimit -v ${Math.ceil(addressSpaceBytes / 1024)} 2>/dev/null || true`);
  return ['/bin/sh', ['-c', `${limits.join('; ')}; exec "$@"`, 'sh', ...isolation, ...command]];
}

const run = promisify(execFile);

/** The first works for root, the second for other users where user namespaces are allowed. */
const PREFIXES: readonly (readonly string[])[] = [
  ['unshare', '--net', '--'],
  ['unshare', '--user', '--map-current-user', '--net', '--'],
];
const TRIAL_TIMEOUT_MS = 5_000;

let detected: Promise<readonly string[]> | undefined;

/**
 * Returns the command prefix that starts a command without network: in a new network namespace, in which no
 * interface is up (unshare(1), network_namespaces(7)). Detected once, by trying.
 *
 * @returns an empty array where that is not possible: in a container without capabilities, or on another
 * system than Linux
 */
export function networkIsolation(): Promise<readonly string[]> {
  return (detected ??= detect());
}

async function detect(): Promise<readonly string[]> {
  if (process.platform !== 'linux') return [];
  for (const prefix of PREFIXES) {
    const [command = '', ...args] = prefix;
    try {
      await run(command, [...args, 'true'], { timeout: TRIAL_TIMEOUT_MS });
      return prefix;
    } catch {
      // Not installed or not allowed.
    }
  }
  return [];
}
