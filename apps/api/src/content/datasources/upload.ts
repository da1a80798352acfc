import { type UploadFields, uploadFieldsSchema } from '@citewell/contracts/schemas';
import type { MultipartFile, MultipartValue } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiError, invalid } from '../../http/api-error.js';
import { drainBody } from '../../http/body-parsers.js';
import { type Exchange, parseLeniently } from '../../http/request-input.js';

/** The form of an upload, as the OpenAPI document describes it. */
export const uploadSchema = z.object({ ...uploadFieldsSchema.shape, file: z.file() });

/** A multipart request that was read to its end. */
export interface Upload<Content> {
  fields: UploadFields;
  content: Content;
  /** The file name of the file part; may be empty. */
  partFileName: string;
  mimeType: string;
}

const MAX_FIELDS = 20;
/** Longer values are truncated. No field of the schema may be longer than 1,024 characters. */
const MAX_FIELD_BYTES = 16 * 1024;
const LIMITS = {
  // A second file is read far enough to refuse the form with a sentence about it.
  files: 2,
  fields: MAX_FIELDS,
  fieldSize: MAX_FIELD_BYTES,
  fileSize: Number.POSITIVE_INFINITY,
};

/**
 * The boundary parameter of a multipart Content-Type. RFC 2046 section 5.1.1 allows 70 characters; the parser
 * accepts 252.
 */
const BOUNDARY = /;\s*boundary\s*=\s*(?:"[^"]{1,252}"|[^\s;"]{1,252})\s*(?:;|$)/i;

/**
 * Reads a multipart body. Parts may come in any order, so the file is received before the fields are known.
 * It is discarded when the form turns out to be invalid.
 *
 * @param receive stores the bytes of the file; called at most once; must reject with the error that the bytes
 * throw
 * @param discard deletes what `receive` stored
 * @throws {@link ApiError} `INVALID_REQUEST` for a form that is malformed, incomplete or invalid; what
 * `receive` throws
 */
export async function readUpload<Content>(
  { request, reply }: Exchange,
  receive: (bytes: AsyncIterable<Buffer>) => Promise<Content>,
  discard: (content: Content) => Promise<void>,
): Promise<Upload<Content>> {
  if (!request.isMultipart())
    throw new ApiError('INVALID_REQUEST', 'The request must be multipart/form-data.');
  const fields: Record<string, string> = {};
  let file: { content: Content; partFileName: string; mimeType: string } | undefined;
  try {
    assertBoundary(request);
    for await (const part of partsOf(request)) {
      if (part.type === 'field') {
        // A truncated value is still too long for its schema. Fields without a schema are ignored.
        fields[part.fieldname] = typeof part.value === 'string' ? part.value : JSON.stringify(part.value);
        continue;
      }
      if (part.fieldname !== 'file')
        throw invalid(part.fieldname, 'is not a file part; the file belongs in "file"');
      if (file) throw invalid('file', 'must be given once');
      file = { content: await receive(bytesOf(part)), partFileName: part.filename, mimeType: part.mimetype };
    }
    if (!file) throw invalid('file', 'is required');
    return { fields: parseLeniently(uploadFieldsSchema, fields, { request, reply }), ...file };
  } catch (error) {
    drainBody(request.raw);
    if (file) await discard(file.content);
    throw error;
  }
}

/** The parser throws an error without class or code for this, so it is checked beforehand. */
function assertBoundary(request: FastifyRequest): void {
  if (!BOUNDARY.test(request.headers['content-type'] ?? ''))
    throw new ApiError(
      'INVALID_REQUEST',
      'The multipart body could not be read: its boundary is missing or too long.',
    );
}

/** The parts of the form. @throws {@link ApiError} when the parser fails */
async function* partsOf(request: FastifyRequest): AsyncGenerator<MultipartFile | MultipartValue> {
  try {
    yield* request.parts({ limits: LIMITS });
  } catch (error) {
    throw toFormError(error);
  }
}

/** The bytes of a file part. Its stream fails when the form ends early. @throws {@link ApiError} */
async function* bytesOf(part: MultipartFile): AsyncGenerator<Buffer> {
  try {
    yield* part.file;
  } catch (error) {
    throw toFormError(error);
  }
}

/**
 * Sentences for the parser's error codes. Its own messages are for developers, and its status is mostly 413.
 */
const SENTENCES: Readonly<Record<string, string>> = {
  FST_FIELDS_LIMIT: `The form has more than ${MAX_FIELDS} fields.`,
  FST_FILES_LIMIT: 'file must be given once.',
  FST_PARTS_LIMIT: 'The form has too many parts.',
  FST_PROTO_VIOLATION: 'A field of the form has a name that is not allowed, such as __proto__.',
  FST_INVALID_JSON_FIELD_ERROR: 'A field of the form is not valid JSON, although its Content-Type says so.',
};

/**
 * The client's error for anything that the parser throws. Its errors without a known code all mean that the
 * form ended early: the connection was closed (`ECONNRESET`, `FST_MP_PREMATURE_CLOSE`,
 * `ERR_STREAM_PREMATURE_CLOSE`), or the body has no final boundary (an error without a code).
 */
function toFormError(error: unknown): ApiError {
  const sentence = SENTENCES[codeOf(error)] ?? 'The upload ended before it was complete.';
  return new ApiError('INVALID_REQUEST', sentence, { cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
