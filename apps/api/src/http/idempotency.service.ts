import { createHash } from 'node:crypto';
import { IdempotencyRepository, type TenantScope } from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from './api-error.js';

/** A request that has been read, and what to do with it. */
export interface PreparedRequest<Answer> {
  /** Of everything that makes the request what it is. */
  hash: string;
  carryOut(): Promise<Answer>;
  /** Takes back what reading it has left behind, when it is not carried out. */
  discard?(): Promise<void>;
}

const KEY = /^[\x21-\x7e]{1,255}$/;

/** Requests with an `Idempotency-Key`: the same key and body are carried out once in 24 hours. */
@Injectable()
export class IdempotencyService {
  constructor(@Inject(IdempotencyRepository) private readonly keys: IdempotencyRepository) {}

  /**
   * @param key the header, or undefined when there is none
   * @param prepare reads the request; called once
   */
  async once<Answer>(
    tenant: TenantScope,
    route: string,
    key: string | undefined,
    prepare: () => Promise<PreparedRequest<Answer>>,
  ): Promise<Answer> {
    if (key === undefined) return (await prepare()).carryOut();
    if (!KEY.test(key))
      throw new ApiError('INVALID_REQUEST', 'Idempotency-Key: must be 1 to 255 visible characters');
    const isFirst = (await this.keys.begin(tenant, route, key)) === 'first';
    try {
      const request = await prepare();
      return isFirst
        ? await this.carryOut(tenant, route, key, request)
        : await this.replay<Answer>(tenant, route, key, request);
    } catch (error) {
      // An error is not kept: the same request may come again.
      if (isFirst) await this.keys.release(tenant, route, key);
      throw error;
    }
  }

  private async carryOut<Answer>(
    tenant: TenantScope,
    route: string,
    key: string,
    request: PreparedRequest<Answer>,
  ): Promise<Answer> {
    const answer = await request.carryOut();
    await this.keys.finish(tenant, route, key, request.hash, 200, answer);
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
        // It was written by `carryOut` of the same route.
        return state.response as Answer;
      case 'other-request':
        throw new ApiError('CONFLICT', 'This Idempotency-Key was used with another request.');
      case 'in-progress':
      case 'first':
        throw new ApiError('CONFLICT', 'The first request with this Idempotency-Key is still in progress.', {
          retryAfterSeconds: 1,
        });
    }
  }
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
