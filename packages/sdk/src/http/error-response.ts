import type { ErrorDetail } from '@citewell/contracts';
import { type CitewellError, errorOf } from '../citewell-error.js';
import { parseRetryAfter } from './retry-policy.js';

/** Converts an error response to an error. The body is the API's error envelope, or any body from a proxy. */
export function toCitewellError(response: Response, body: string, baseUrl: string): CitewellError {
  const { status, headers } = response;
  const envelope = parseEnvelope(body);
  const context = {
    status,
    retryAfterSeconds: parseRetryAfter(headers.get('retry-after')),
    requestId: envelope?.requestId ?? headers.get('x-request-id'),
  };
  if (!envelope)
    return errorOf(
      `HTTP_${status}`,
      status === 404
        ? `${baseUrl} does not seem to be a Citewell server: HTTP status 404 without an error of Citewell.`
        : `${baseUrl} responded with HTTP status ${status}.`,
      context,
    );
  return errorOf(envelope.error, envelope.message, { ...context, details: envelope.details });
}

interface Envelope {
  error: string;
  message: string;
  details: ErrorDetail[];
  requestId: string | null;
}

function parseEnvelope(body: string): Envelope | null {
  const value = parseObject(body);
  if (!value || typeof value['error'] !== 'string' || typeof value['message'] !== 'string') return null;
  return {
    error: value['error'],
    message: value['message'],
    details: Array.isArray(value['details']) ? value['details'].filter(isDetail) : [],
    requestId: typeof value['requestId'] === 'string' ? value['requestId'] : null,
  };
}

function parseObject(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body);
    // A JSON object has string keys. The callers check each value.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function isDetail(value: unknown): value is ErrorDetail {
  return (
    typeof value === 'object' &&
    value !== null &&
    'path' in value &&
    'message' in value &&
    typeof value.path === 'string' &&
    typeof value.message === 'string'
  );
}
