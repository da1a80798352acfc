import { createHash } from 'node:crypto';
import type { ApiErrorCode, ErrorDetail } from '@citewell/contracts/errors';
import { IdempotencyRepository, type TenantScope } from '@citewell/database';
import { LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from './api-error.js';
import { toApiError } from './to-api-error.js';

/** A request that has been read, and what to do with it. */
export interface PreparedRequest<Answer> {
  /** Of everything that makes the request what it is. */
  hash: string;
  execute(): Promise<Answer>;
  /** Takes back what reading it has left behind, when it is not carried out. */
  discard?(): Promise<void>;
}

const KEY = /^[\x21-\x7e]{1,255}$/;
const SUCCESS = 200;

/**
 * Which errors are kept: those about the request, so that the same request is refused again. The others are about the
 * moment: who calls and how often, what is used up, what is under way, our own failures. A body that is too large is
 * among those because a file that is refused while it comes in has no digest that would tell the same one again.
 */
const IS_KEPT: Readonly<Record<ApiErrorCode, boolean>> = {
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
  UPSTREAM_UNAVAILABLE: false,
  STORAGE_FULL: false,
};

/** A refusal as it is kept: what an answer says, without what belongs to one request, such as its id. */
interface KeptRefusal {
  error: ApiErrorCode;
  message: string;
  details?: readonly ErrorDetail[];
}

/**
 * Requests with an `Idempotency-Key`: the same key and body get the same answer for 24 hours, whether it is a success or
 * an error of {@link IS_KEPT}; with any other answer the key is free again.
 *
 * A key is used from the moment the request is read and understood. Whatever is refused before (a malformed or cut-off
 * body, a bad field) leaves its key free: it may come again, corrected, under the same key.
 */
@Injectable()
export class IdempotencyService {
  constructor(
    @Inject(IdempotencyRepository) private readonly keys: IdempotencyRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @param key the header, or undefined when there is none
   * @param prepare reads the request; called once
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
      throw new ApiError('INVALID_REQUEST', 'Idempotency-Key must be 1 to 255 visible characters of ASCII.');
    const isFirst = (await this.keys.begin(tenant, route, key)) === 'first';
    try {
      const request = await prepare();
      return isFirst
        ? await this.execute(tenant, route, key, request)
        : await this.replay<Answer>(tenant, route, key, request);
    } catch (error) {
      if (isFirst) await this.release(tenant, route, key);
      throw error;
    }
  }

  private async execute<Answer>(
    tenant: TenantScope,
    route: string,
    key: string,
    request: PreparedRequest<Answer>,
  ): Promise<Answer> {
    let answer: Answer;
    try {
      answer = await request.execute();
    } catch (thrown) {
      const { code, status, message, details } = toApiError(thrown);
      if (IS_KEPT[code]) {
        const refusal: KeptRefusal = { error: code, message, ...(details ? { details } : {}) };
        await this.keys.finish(tenant, route, key, request.hash, status, refusal);
      }
      throw thrown;
    }
    await this.keys.finish(tenant, route, key, request.hash, SUCCESS, answer);
    return answer;
  }

  private async replay<Answer>(
    tenant: TenantScope,
    route: string,
    key: string,
    request: PreparedRequest<Answer>,
  ): Promise<Answer> {
    await request.discard?.();
    const state = await this.keys.look(tenant, route, key, request.hash);
    switch (state.kind) {
      case 'answered':
        // Both were written by `execute` of the same route.
        if (state.status === SUCCESS) return state.response as Answer;
        throw toRefusal(state.response as KeptRefusal);
      case 'other-request':
        throw new ApiError('CONFLICT', 'This Idempotency-Key was used with another request.');
      case 'in-progress':
      case 'first':
        throw new ApiError('CONFLICT', 'The first request with this Idempotency-Key is still in progress.', {
          retryAfterSeconds: 1,
        });
    }
  }

  /** Frees a key, unless an answer is kept under it. Where that fails, the key counts as abandoned after a while. */
  private async release(tenant: TenantScope, route: string, key: string): Promise<void> {
    try {
      await this.keys.release(tenant, route, key);
    } catch (error) {
      // What the client is to hear of is the error that led here.
      this.logger.warn({ err: error, route }, 'idempotency key not released yet');
    }
  }
}

function toRefusal({ error, message, details }: KeptRefusal): ApiError {
  return new ApiError(error, message, details ? { details } : {});
}

/** The hash of a JSON request: equal for bodies that differ in the order of their keys only. */
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
