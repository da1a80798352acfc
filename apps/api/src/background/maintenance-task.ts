/** Work that the dispatcher runs at a fixed interval. */
export interface MaintenanceTask {
  readonly intervalMs: number;
  /** Never called twice at once. A rejection is logged, and the task is executed again after the interval. */
  run(): Promise<void>;
}

/** Injection token of all {@link MaintenanceTask}s. */
export const MAINTENANCE_TASKS = Symbol('MAINTENANCE_TASKS');
