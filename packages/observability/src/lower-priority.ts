import { constants, setPriority } from 'node:os';

/**
 * Lowers the priority of a process and of those that it starts later, so that API requests are served first. Does
 * nothing where that is not allowed.
 */
export function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process keeps normal priority.
  }
}
