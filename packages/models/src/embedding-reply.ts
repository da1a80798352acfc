import { ModelError } from './model.error.js';

/**
 * Reads an answer of the embeddings endpoint.
 *
 * @param reply what the provider sent; nothing about it is taken for granted
 * @param count how many texts were sent
 * @param dimensions the length that vectors must have; null takes that of the first
 * @returns vectors in the order of the texts, also where the provider sent them in another
 * @throws ModelError transient for an answer that is incomplete or makes no sense, permanent for one of another space
 */
export function readEmbeddings(reply: unknown, count: number, dimensions: number | null): Float32Array[] {
  const data = property(reply, 'data');
  if (!Array.isArray(data)) throw unreadable('no list of vectors');
  if (data.length !== count) throw unreadable(`${data.length} vectors for ${count} texts`);
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count });
  for (const [position, entry] of data.entries()) {
    const given = property(entry, 'index');
    const index = typeof given === 'number' ? given : position;
    if (!(index in vectors) || vectors[index]) throw unreadable('vectors with wrong positions');
    vectors[index] = toVector(property(entry, 'embedding'));
  }
  const complete = vectors.filter((vector) => vector !== undefined);
  const expected = dimensions ?? complete[0]?.length;
  const other = complete.find((vector) => vector.length !== expected);
  if (other) {
    throw new ModelError(
      'permanent',
      `The embedding model gives vectors of ${other.length} dimensions instead of ${expected}. ` +
        'Check EMBEDDING_MODEL and EMBEDDING_DIMENSIONS.',
    );
  }
  return complete;
}

function toVector(values: unknown): Float32Array {
  if (!Array.isArray(values) || values.length === 0) throw unreadable('an entry without a vector');
  if (!values.every((value) => Number.isFinite(value)))
    throw unreadable('a vector with values that are no numbers');
  return Float32Array.from(values);
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function unreadable(what: string): ModelError {
  return new ModelError('transient', `The embedding provider answered with ${what}.`);
}
