import { errorEnvelopeSchema, type ErrorEnvelope } from '@citewell/contracts/schemas';
import { expect } from '@jest/globals';
import type { z } from 'zod';

/**
 * HTTP status of each error code. Repeated here on purpose, so that an accidental change in the product
 * fails.
 */
const STATUS = {
  INVALID_REQUEST: 400,
  USAGE_LIMIT: 402,
  UNAUTHORIZED: 403,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  GONE: 410,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMIT: 429,
  CONTENT_DAMAGED: 503,
  EMPTY_ANSWER: 503,
  OWN_MODEL_FAILED: 503,
  UPSTREAM_UNAVAILABLE: 503,
  STORAGE_FULL: 507,
} as const;

export type ErrorCode = keyof typeof STATUS;

/** The API answered with a status other than 200. */
export class ApiResponseError extends Error {
  override readonly name = 'ApiResponseError';

  constructor(
    request: string,
    readonly status: number,
    text: string,
    /** Empty if the body is no error of the API. */
    readonly code = /"error":"(\w+)"/.exec(text)?.[1] ?? '',
  ) {
    super(`${request}: ${status} ${text.slice(0, 500)}`);
  }
}

/** A complete HTTP response of the API, with the assertions that most tests make about it. */
export class ApiResponse {
  constructor(
    /** Method and path, for messages of failed assertions. */
    readonly request: string,
    readonly status: number,
    readonly headers: Headers,
    readonly bytes: Buffer,
  ) {}

  /** Reads a response to its end. */
  static async read(request: string, response: Response): Promise<ApiResponse> {
    return new ApiResponse(
      request,
      response.status,
      response.headers,
      Buffer.from(await response.arrayBuffer()),
    );
  }

  get text(): string {
    return this.bytes.toString('utf8');
  }

  get json(): unknown {
    return JSON.parse(this.text);
  }

  header(name: string): string | null {
    return this.headers.get(name);
  }

  /** Asserts a JSON response with status 200 and returns the body parsed by `schema`. */
  as<Schema extends z.ZodType>(schema: Schema): z.output<Schema> {
    this.assertOk();
    expect(this.header('content-type') ?? '').toMatch(/^application\/json/);
    expect(this.header('x-request-id')).not.toBeNull();
    return schema.parse(this.json);
  }

  /** Asserts status 200; the body may be anything. @throws ApiResponseError */
  assertOk(): void {
    if (this.status !== 200) throw new ApiResponseError(this.request, this.status, this.text);
  }

  /**
   * Asserts an error response: status, content type, envelope, request id, and a message without internal
   * details.
   *
   * @param path a field that `details` must name
   */
  assertError(code: ErrorCode, path?: string): ErrorEnvelope {
    expect([
      `${this.request}: ${this.status} ${this.text.slice(0, 500)}`,
      `${this.status} ${this.text.slice(0, 300)}`.slice(0, 3),
    ]).toEqual([`${this.request}: ${this.status} ${this.text.slice(0, 500)}`, `${STATUS[code]}`]);
    expect(this.header('content-type') ?? '').toMatch(/^application\/json/);
    const envelope = errorEnvelopeSchema.strict().parse(this.json);
    expect([this.request, envelope.error]).toEqual([this.request, code]);
    expect(envelope.message.length).toBeGreaterThan(5);
    // The message contains internal details.
    expect(envelope.message).not.toMatch(/SELECT |node_modules|\bat \w+ \(|FST_|QueryFailed/);
    expect([this.request, envelope.requestId]).toEqual([this.request, this.header('x-request-id')]);
    if (path !== undefined) {
      const paths = (envelope.details ?? []).map((detail) => detail.path);
      expect(paths).toContain(path);
    }
    return envelope;
  }
}
