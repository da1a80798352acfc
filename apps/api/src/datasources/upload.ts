import type { Readable } from 'node:stream';
import { type UploadFields, uploadFieldsSchema } from '@citewell/contracts/http';
import type { FastifyRequest } from 'fastify';
import { ApiError, invalid } from '../http/api-error.js';
import { toInvalidRequest } from '../http/validation.pipe.js';
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
      limits: { files: 2, fields: MAX_FIELDS, fileSize: Number.POSITIVE_INFINITY },
    })) {
      if (part.type === 'field') {
        fields[part.fieldname] = String(part.value);
        continue;
      }
      if (part.fieldname !== 'file')
        throw invalid(part.fieldname, 'is not a file part; the file belongs in "file"');
      if (file) throw invalid('file', 'must be given once');
      file = { content: await receive(part.file), partName: part.filename, mimeType: part.mimetype };
    }
    if (!file) throw invalid('file', 'is missing');
    const parsed = uploadFieldsSchema.safeParse(fields);
    if (!parsed.success) throw toInvalidRequest(parsed.error.issues);
    return { fields: parsed.data, ...file };
  } catch (error) {
    dropRest(request.raw);
    if (file) await discard(file.content);
    throw refusalOf(error);
  }
}

/** A body that cannot be read is the client's; what else went wrong stays as it is. The reader's errors have no codes. */
function refusalOf(error: unknown): unknown {
  if (isCutOff(error))
    return new ApiError('INVALID_REQUEST', 'The upload ended before it was complete.', { cause: error });
  if (error instanceof Error && /boundary not found|malformed part header/i.test(error.message))
    return new ApiError('INVALID_REQUEST', 'The multipart body could not be read.', { cause: error });
  return error;
}

/** What a client's going away, or a body without its last boundary, looks like. */
function isCutOff(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return (
    code === 'ECONNRESET' ||
    code === 'ERR_STREAM_PREMATURE_CLOSE' ||
    /aborted|premature close|unexpected end/i.test(error.message)
  );
}
