import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiErrorCode, ErrorDetail } from '@citewell/contracts/errors';
import {
  IdempotencyRepository,
  type KeptAnswer,
  isDatabaseFull,
  isDatabaseUnavailable,
  newId,
  type Reservation,
  type TenantScope,
} from '@citewell/database';
import { LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from './api-error.js';
import { toApiError } from './to-api-error.js';

/** A request that has been parsed and not yet executed. */
export interface PreparedRequest<Answer> {
  /** Hash of the whole request. Two requests with the same hash are the same request. */
  hash(): string;
  execute(): Promise<Answer>;
  /** Deletes what parsing the request has stored. Called when the request is not executed. */
  discard?(): Promise<void>;
}

const KEY = /^[\x21-\x7e]{1,255}$/;
const SUCCESS = 200;
const RETRY_MS = 1_000;

/**
 * Which errors are stored under the key. Errors of the request itself are stored, because the same request
 * would fail again. Other errors depend on the moment: authentication, rate, quota, conflicts, failures of
 * the server. A body that is too large is not stored either: a file that is refused during the upload has no
 * hash to recognise it by.
 */
const IS_STORED: Readonly<Record<ApiErrorCode, boolean>> = {
  INVALID_REQUEST: true,
  NOT_FOUND: true,
  GONE: true,
  UNSUPPORTED_MEDIA_TYPE: true,
  USAGE_LIMIT: false,
  UNAUTHORIZED: false,
  FORBIDDEN: false,
  CONFLICT: false,
  PAYLOAD_TOO_LARGE: false,
  RATE_LIMIT: false,
  INTERNAL: false,
  ANSWER_INTERRUPTED: false,
  CONTENT_DAMAGED: false,
  EMPTY_ANSWER: false,
  OWN_MODEL_FAILED: false,
  UPSTREAM_UNAVAILABLE: false,
  STORAGE_FULL: false,
};

/** An error as it is stored: without what belongs to one request, such as its id. */
interface StoredError {
  error: ApiErrorCode;
  message: string;
  details?: readonly ErrorDetail[];
}

/** Answers of earlier requests. */
const repeated = new WeakSet<object>();

/** Whether an answer was stored by an earlier request with the same `Idempotency-Key`. */
export function isRepeatedAnswer(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && repeated.has(answer);
}

/**
 * Executes requests with an `Idempotency-Key` once. For 24 hours, the same key and request get the same
 * response: the success, or an error of {@link IS_STORED}. After any other error the key is free again.
 *
 * A key is in use from the moment its first request arrives. If that request cannot be parsed (a malformed or
 * incomplete body, an invalid field), the key becomes free again: the client may send a corrected request with
 * the same key.
 */
@Injectable()
export class IdempotencyService {
  /** Between two attempts to update keys while the database is unavailable. */
  protected readonly retryMs: number = RETRY_MS;
  /** Updates of keys, oldest first. At most one for each request that the outage has met. */
  private readonly postponed: (() => Promise<void>)[] = [];

  constructor(
    @Inject(IdempotencyRepository) private readonly keys: IdempotencyRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @param key the header; undefined executes the request without idempotency
   * @param prepare parses the request; called once
   * @throws {@link ApiError} `CONFLICT` when the key is in use, or was used with another request
   */
  async once<Answer>(
    tenant: TenantScope,
    route: string,
    key: string | undefined,
    prepare: () => Promise<PreparedRequest<Answer>>,
  ): Promise<Answer> {
    if (key === undefined) return (await prepare()).execute();
    if (!KEY.test(key))
      throw new ApiError('INVALID_REQUEST', 'Idempotency-Key must be 1 to 255 visible ASCII characters.');
    const reservation = { route: routeOf(tenant, route), key, id: newId() };
    const isFirst = await this.begin(tenant, reservation);
    let request: PreparedRequest<Answer>;
    try {
      request = await prepare();
    } catch (error) {
      if (isFirst) await this.release(tenant, reservation);
      throw error;
    }
    return isFirst
      ? this.execute(tenant, reservation, request)
      : this.replay<Answer>(tenant, reservation.route, key, request);
  }

  /** A request that succeeded is not executed again, also when its response cannot be stored: the key stays in use. */
  private async execute<Answer>(
    tenant: TenantScope,
    reservation: Reservation,
    request: PreparedRequest<Answer>,
  ): Promise<Answer> {
    let answer: Answer;
    try {
      answer = await request.execute();
    } catch (thrown) {
      const { code, status, message, details } = toApiError(thrown);
      if (IS_STORED[code]) {
        const stored: StoredError = { error: code, message, ...(details ? { details } : {}) };
        await this.finish(tenant, reservation, { requestHash: request.hash(), status, response: stored });
      } else {
        await this.release(tenant, reservation);
      }
      throw thrown;
    }
    await this.finish(tenant, reservation, {
      requestHash: request.hash(),
      status: SUCCESS,
      response: answer,
    });
    return answer;
  }

  private async replay<Answer>(
    tenant: TenantScope,
    route: string,
    key: string,
    request: PreparedRequest<Answer>,
  ): Promise<Answer> {
    await request.discard?.();
    const state = await this.keys.find(tenant, route, key, request.hash());
    switch (state.kind) {
      case 'answered':
        // Both types were written by `execute` of the same route.
        if (state.status === SUCCESS) {
          if (typeof state.response === 'object' && state.response !== null) repeated.add(state.response);
          return state.response as Answer;
        }
        throw fromStored(state.response as StoredError);
      case 'other-request':
        throw new ApiError('CONFLICT', 'This Idempotency-Key was used with another request.');
      case 'in-progress':
      case 'first':
        throw new ApiError('CONFLICT', 'The first request with this Idempotency-Key is still in progress.', {
          retryAfterSeconds: 1,
        });
    }
  }

  private async begin(tenant: TenantScope, reservation: Reservation): Promise<boolean> {
    try {
      return (await this.keys.begin(tenant, reservation)).ok;
    } catch (error) {
      // The key may be reserved all the same, if only the answer of the database was lost.
      this.later(error, () => this.keys.release(tenant, reservation));
      throw error;
    }
  }

  private async finish(tenant: TenantScope, reservation: Reservation, answer: KeptAnswer): Promise<void> {
    const keep = (): Promise<void> => this.keys.finish(tenant, reservation, answer);
    try {
      await keep();
    } catch (error) {
      this.later(error, keep);
      throw error;
    }
  }

  /** Frees a key without a stored response. The client gets the error of its request, also when this fails. */
  private async release(tenant: TenantScope, reservation: Reservation): Promise<void> {
    const free = (): Promise<void> => this.keys.release(tenant, reservation);
    try {
      await free();
    } catch (error) {
      this.later(error, free);
      this.logger.warn({ err: error, route: reservation.route }, 'idempotency key could not be released');
    }
  }

  /**
   * Repeats what failed because of the database when that works again. Otherwise a client that repeats its request would
   * be refused until the key expires as abandoned.
   */
  private later(error: unknown, action: () => Promise<void>): void {
    if (!isOutage(error)) return;
    this.postponed.push(action);
    if (this.postponed.length === 1) void this.carryOut();
  }

  private async carryOut(): Promise<void> {
    for (let action = this.postponed[0]; action !== undefined; action = this.postponed[0]) {
      try {
        await action();
      } catch (error) {
        if (isOutage(error)) {
          await sleep(this.retryMs, undefined, { ref: false });
          continue;
        }
        this.logger.warn({ err: error }, 'idempotency key could not be updated');
      }
      this.postponed.shift();
    }
  }
}

/** The answers to a person are repeated to this person only. API keys share theirs: one replaces another. */
function routeOf({ reader }: TenantScope, route: string): string {
  return reader ? `${route} of ${reader.personId}` : route;
}

function fromStored({ error, message, details }: StoredError): ApiError {
  return new ApiError(error, message, details ? { details } : {});
}

/** SHA-256 of a JSON value in hex. The order of object keys does not matter. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex');
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    entries.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** Whether the same statement can succeed later. */
function isOutage(error: unknown): boolean {
  return isDatabaseUnavailable(error) || isDatabaseFull(error);
}
