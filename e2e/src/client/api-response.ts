import assert from 'node:assert/strict';
import { errorEnvelopeSchema, type ErrorEnvelope } from '@citewell/contracts/http';
import type { z } from 'zod';

/** The error table of the interface, written down once more: a change of it has to be meant. */
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
  UPSTREAM_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof STATUS;

/** A response that was read to its end. */
export class Answer {
  constructor(
    readonly request: string,
    readonly status: number,
    readonly headers: Headers,
    readonly bytes: Buffer,
  ) {}

  get text(): string {
    return this.bytes.toString('utf8');
  }

  get json(): unknown {
    return JSON.parse(this.text);
  }

  header(name: string): string | null {
    return this.headers.get(name);
  }

  /** Its JSON, after making sure that it succeeded and has the fields of the schema. */
  as<Schema extends z.ZodType>(schema: Schema): z.output<Schema> {
    assert.equal(this.status, 200, `${this.request}: ${this.status} ${this.text.slice(0, 500)}`);
    assert.match(this.header('content-type') ?? '', /^application\/json/);
    assert.ok(this.header('x-request-id'), `${this.request}: has no X-Request-Id`);
    return schema.parse(this.json);
  }

  /** Makes sure that it succeeded, whatever it says. */
  succeeded(): void {
    assert.equal(this.status, 200, `${this.request}: ${this.status} ${this.text.slice(0, 500)}`);
  }

  /** Its envelope, after making sure that it is that error, in that form. */
  refusedWith(code: ErrorCode, path?: string): ErrorEnvelope {
    assert.equal(
      `${this.status} ${this.text.slice(0, 300)}`.slice(0, 3),
      `${STATUS[code]}`,
      `${this.request}: ${this.status} ${this.text.slice(0, 500)}`,
    );
    assert.match(this.header('content-type') ?? '', /^application\/json/);
    const envelope = errorEnvelopeSchema.strict().parse(this.json);
    assert.equal(envelope.error, code, this.request);
    assert.ok(envelope.message.length > 5, `${this.request}: says nothing`);
    assert.doesNotMatch(
      envelope.message,
      /SELECT |node_modules|\bat \w+ \(|FST_|QueryFailed/,
      'inner text leaks',
    );
    assert.equal(envelope.requestId, this.header('x-request-id'), this.request);
    if (path !== undefined) {
      const paths = (envelope.details ?? []).map((detail) => detail.path);
      assert.ok(paths.includes(path), `${this.request}: names ${paths.join(', ')}, not ${path}`);
    }
    return envelope;
  }
}
