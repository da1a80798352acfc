import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What root may do, and what others may do where the system lets them make namespaces of users. */
const WAYS: readonly (readonly string[])[] = [
  ['unshare', '--net', '--'],
  ['unshare', '--user', '--map-current-user', '--net', '--'],
];
const TRIAL_TIMEOUT_MS = 5_000;

let detected: Promise<readonly string[]> | undefined;

/**
 * The words to put before a command so that it runs without network: in a network namespace of its own, which has no
 * interface that is up (unshare(1), network_namespaces(7)). Found once, by trying.
 *
 * @returns no words where the system has or allows none of it: a container without rights, or another system than Linux
 */
export function networkIsolation(): Promise<readonly string[]> {
  return (detected ??= detect());
}

async function detect(): Promise<readonly string[]> {
  if (process.platform !== 'linux') return [];
  for (const way of WAYS) {
    const [command = '', ...args] = way;
    try {
      await run(command, [...args, 'true'], { timeout: TRIAL_TIMEOUT_MS });
      return way;
    } catch {
      // Not there, or not allowed: the next one.
    }
  }
  return [];
}
