import { constants, setPriority } from 'node:os';

/** Requests are answered before files are parsed. Not everywhere allowed, and not worth an error. */
export function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It runs at normal priority then.
  }
}
