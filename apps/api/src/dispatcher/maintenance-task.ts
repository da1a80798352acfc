/** Work that the dispatcher runs at a fixed interval. */
export interface MaintenanceTask {
  readonly intervalMs: number;
  /** Never runs twice at once. A rejection is logged; the task runs again after the interval. */
  run(): Promise<void>;
}

/** Injection token of all {@link MaintenanceTask}s. */
export const MAINTENANCE_TASKS = Symbol('MAINTENANCE_TASKS');
