import { ModelError } from './model.error.js';
import { property } from './property.js';

const FLOAT_BYTES = 4;

/**
 * Validates and reads a response of the embeddings endpoint.
 *
 * @param response the body from the provider
 * @param count number of texts in the request
 * @param dimensions expected length of the vectors; null expects the length of the first one
 * @returns the vectors in the order of the texts, whatever their order in the response
 * @throws ModelError `transient` for an incomplete or malformed response, `permanent` for other dimensions
 */
export function readEmbeddings(response: unknown, count: number, dimensions: number | null): Float32Array[] {
  const data = property(response, 'data');
  if (!Array.isArray(data)) throw malformed('it has no list of vectors');
  if (data.length !== count) throw malformed(`it has ${data.length} vectors for ${count} texts`);
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count });
  for (const [position, entry] of data.entries()) {
    const givenIndex = property(entry, 'index');
    const index = typeof givenIndex === 'number' ? givenIndex : position;
    if (!(index in vectors) || vectors[index]) throw malformed('the indexes of its vectors are wrong');
    vectors[index] = toVector(property(entry, 'embedding'));
  }
  const complete = vectors.filter((vector) => vector !== undefined);
  const expected = dimensions ?? complete[0]?.length;
  const mismatch = complete.find((vector) => vector.length !== expected);
  if (mismatch) {
    throw new ModelError(
      'permanent',
      `The embedding model returned vectors with ${mismatch.length} dimensions instead of ${expected}. ` +
        'Check EMBEDDING_MODEL and EMBEDDING_DIMENSIONS.',
    );
  }
  return complete;
}

/** Tokens that the provider has counted in the texts of a request; 0 if it reports none. */
export function readInputTokens(response: unknown): number {
  const tokens = property(property(response, 'usage'), 'prompt_tokens');
  return typeof tokens === 'number' && tokens > 0 ? tokens : 0;
}

/** Some servers send the base64 form of 32-bit floats in any case. */
function toVector(values: unknown): Float32Array {
  if (typeof values === 'string') return fromBase64(values);
  if (!Array.isArray(values) || values.length === 0) throw malformed('an entry has no vector');
  if (!values.every((value) => Number.isFinite(value)))
    throw malformed('a vector has values that are not numbers');
  return Float32Array.from(values);
}

function fromBase64(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.length % FLOAT_BYTES !== 0) throw malformed('an entry has no vector');
  const vector = Float32Array.from({ length: bytes.length / FLOAT_BYTES }, (_, at) =>
    bytes.readFloatLE(at * FLOAT_BYTES),
  );
  if (!vector.every((value) => Number.isFinite(value)))
    throw malformed('a vector has values that are not numbers');
  return vector;
}

function malformed(reason: string): ModelError {
  return new ModelError('transient', `The response of the embedding provider is malformed: ${reason}.`, {
    reason: 'malformed',
  });
}
