import { API_ERROR_STATUS } from '@citewell/contracts/errors';
import type { ApiResponse } from '../../client/api-response.js';
import { report as print } from '../../report.js';

/** Longest time for a response. The limits of the product are shorter. */
const LIMIT_MS = 75_000;

export interface LoggedRequest {
  readonly kind: string;
  readonly api: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Null for a success. Of a response that is no documented error: a sentence. */
  readonly code: string | null;
}

/** Every request of a load, and every wrong answer. Times are those of `performance.now()`. */
export class RequestLog {
  readonly requests: LoggedRequest[] = [];
  readonly wrongAnswers: { readonly at: number; readonly what: string }[] = [];

  wrong(what: string): void {
    this.wrongAnswers.push({ at: performance.now(), what });
    print(`wrong: ${what}`);
  }

  /** @returns the response; null for an error, which is logged */
  async request(
    kind: string,
    api: number,
    send: (signal: AbortSignal) => Promise<ApiResponse>,
  ): Promise<ApiResponse | null> {
    return this.run(kind, api, async (signal) => answeredOrRefused(await send(signal)));
  }

  /** Logs what a request with another kind of response returns. */
  async run<Value>(
    kind: string,
    api: number,
    send: (signal: AbortSignal) => Promise<{ value: Value | null; code: string | null }>,
  ): Promise<Value | null> {
    const startedAt = performance.now();
    const signal = AbortSignal.timeout(LIMIT_MS);
    const { value, code } = await send(signal).catch((error: unknown) => ({
      value: null,
      code: signal.aborted ? `no response after ${LIMIT_MS} ms` : describe(error),
    }));
    this.requests.push({ kind, api, startedAt, endedAt: performance.now(), code });
    if (code !== null && !isExpected(code)) print(`undocumented: ${kind}: ${code}`);
    return value;
  }

  /** Requests that ended in a period. */
  between(from: number, to: number): LoggedRequest[] {
    return this.requests.filter(({ endedAt }) => endedAt >= from && endedAt < to);
  }
}

/** The response if it is a success, else the code of its error. */
export function answeredOrRefused(response: ApiResponse): { value: ApiResponse | null; code: string | null } {
  if (response.status === 200) return { value: response, code: null };
  const code = /^\{"error":"(\w+)"/.exec(response.text)?.[1] ?? '';
  const isRight = isExpected(code) && errorStatus[code] === response.status;
  return { value: null, code: isRight ? code : `${response.status} ${response.text}` };
}

const errorStatus: Readonly<Record<string, number | undefined>> = API_ERROR_STATUS;

/** Whether an error is documented, and does not say that the request was wrong: every request of the load is right. */
export function isExpected(code: string): boolean {
  const status = errorStatus[code] ?? 0;
  return code !== 'INTERNAL' && (status >= 500 || status === 409 || status === 429);
}

/** Their errors by code, as text. */
export function errorsOf(requests: readonly LoggedRequest[]): string {
  const failed = requests.filter(({ code }) => code !== null);
  const counts = Map.groupBy(failed, ({ kind, code }) => `${kind} ${code}`);
  return [...counts].map(([error, all]) => `${error} ${all.length}`).join(', ') || 'none';
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
