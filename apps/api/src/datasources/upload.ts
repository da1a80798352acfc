import type { Readable } from 'node:stream';
import { type UploadFields, uploadFieldsSchema } from '@citewell/contracts/http';
import type { FastifyRequest } from 'fastify';
import { ApiError, invalid } from '../http/api-error.js';
import { parseInput } from '../http/validation.pipe.js';
import { dropRest } from './refused-body.js';

/** A multipart request that was read to its end. */
export interface Upload<Content> {
  fields: UploadFields;
  content: Content;
  /** The part's own file name; may be empty. */
  partName: string;
  mimeType: string;
}

const MAX_FIELDS = 20;
/** Of one field. No field that is read may be longer than 1,024 characters. */
const MAX_FIELD_BYTES = 16 * 1024;

/**
 * Reads a multipart body. Parts may come in any order, so the file is taken in before the fields are known; it is
 * discarded when they turn out to be bad.
 *
 * @param receive takes the file's bytes; called once
 * @param discard takes back what `receive` made
 */
export async function readUpload<Content>(
  request: FastifyRequest,
  receive: (stream: Readable) => Promise<Content>,
  discard: (content: Content) => Promise<void>,
): Promise<Upload<Content>> {
  if (!request.isMultipart())
    throw new ApiError('INVALID_REQUEST', 'The request must be multipart/form-data.');
  const fields: Record<string, string> = {};
  let file: { content: Content; partName: string; mimeType: string } | undefined;
  try {
    for await (const part of request.parts({
      limits: {
        files: 2,
        fields: MAX_FIELDS,
        fieldSize: MAX_FIELD_BYTES,
        fileSize: Number.POSITIVE_INFINITY,
      },
    })) {
      if (part.type === 'field') {
        // What is cut here is far too long for its schema, and a field that has none is ignored.
        fields[part.fieldname] = typeof part.value === 'string' ? part.value : JSON.stringify(part.value);
        continue;
      }
      if (part.fieldname !== 'file')
        throw invalid(part.fieldname, 'is not a file part; the file belongs in "file"');
      if (file) throw invalid('file', 'must be given once');
      file = { content: await receive(part.file), partName: part.filename, mimeType: part.mimetype };
    }
    if (!file) throw invalid('file', 'is required');
    return { fields: parseInput(uploadFieldsSchema, fields), ...file };
  } catch (error) {
    dropRest(request.raw);
    if (file) await discard(file.content);
    throw refusalOf(error);
  }
}

/** What the reader of forms refuses, by its code. Its own status for most of it is 413, and its words are for developers. */
const FORM_REFUSALS: Readonly<Record<string, string>> = {
  FST_FIELDS_LIMIT: `The form has more than ${MAX_FIELDS} fields.`,
  FST_FILES_LIMIT: 'file must be given once.',
  FST_PARTS_LIMIT: 'The form has too many parts.',
  FST_PROTO_VIOLATION: 'A field of the form has a name that is not allowed, such as __proto__.',
  FST_INVALID_JSON_FIELD_ERROR: 'A field of the form is not the JSON that its Content-Type says it is.',
};

/** A body that cannot be read is the client's; what else went wrong stays as it is. */
function refusalOf(error: unknown): unknown {
  if (isCutOff(error))
    return new ApiError('INVALID_REQUEST', 'The upload ended before it was complete.', { cause: error });
  const sentence = FORM_REFUSALS[codeOf(error)];
  if (sentence !== undefined) return new ApiError('INVALID_REQUEST', sentence, { cause: error });
  // The parser beneath has no codes.
  if (error instanceof Error && /boundary not found|malformed part header/i.test(error.message))
    return new ApiError('INVALID_REQUEST', 'The multipart body could not be read.', { cause: error });
  return error;
}

/** What a client's going away, or a body without its last boundary, looks like. */
function isCutOff(error: unknown): boolean {
  return (
    ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'FST_MP_PREMATURE_CLOSE'].includes(codeOf(error)) ||
    (error instanceof Error && /aborted|premature close|unexpected end/i.test(error.message))
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
