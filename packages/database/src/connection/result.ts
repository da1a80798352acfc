import type { DataSource, EntityManager } from 'typeorm';
import { isReferenceGone, isUniqueViolation } from './database-unavailable.js';

/**
 * What a repository returns when it can refuse a change: the value, or why nothing was changed. A method that can only fail to
 * find a row returns null instead. Errors are for what no caller expects, and for a lease that is lost.
 */
export type Result<Value, Reason extends string> = Done<Value> | Refusal<Reason>;

interface Done<Value> {
  readonly ok: true;
  readonly value: Value;
}

interface Refusal<Reason extends string> {
  readonly ok: false;
  readonly reason: Reason;
  /** What the reason is about, where the caller cannot know it. */
  readonly ids: readonly string[];
}

export function done(): Done<undefined>;
export function done<Value>(value: Value): Done<Value>;
export function done<Value>(value?: Value): Done<Value | undefined> {
  return { ok: true, value };
}

export function refuse<Reason extends string>(reason: Reason, ids: readonly string[] = []): Refusal<Reason> {
  return { ok: false, reason, ids };
}

/**
 * Runs a transaction, and rolls it back if its work refuses.
 *
 * @param reasons.ifTaken the reason if another row has the same value in unique columns
 * @param reasons.ifGone the reason if a row is gone to which a new one refers
 */
export async function attempt<Value, Reason extends string>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<Result<Value, Reason>>,
  { ifTaken, ifGone }: { ifTaken?: Reason; ifGone?: Reason } = {},
): Promise<Result<Value, Reason>> {
  const outcome: { refusal?: Refusal<Reason> } = {};
  try {
    return await dataSource.transaction(async (manager) => {
      const result = await work(manager);
      if (result.ok) return result;
      outcome.refusal = result;
      throw new Error('rolled back');
    });
  } catch (error) {
    if (outcome.refusal) return outcome.refusal;
    if (ifTaken !== undefined && isUniqueViolation(error)) return refuse(ifTaken);
    if (ifGone !== undefined && isReferenceGone(error)) return refuse(ifGone);
    throw error;
  }
}
