import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

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
