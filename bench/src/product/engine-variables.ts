const NAMES = [
  'EMBEDDING_MODEL',
  'EMBEDDING_DIMENSIONS',
  'OPENAI_BASE_URL',
  'OPENAI_API_KEY',
  'QDRANT_URL',
  'QDRANT_API_KEY',
];

/**
 * The variables of this process that select an embedding model or a vector engine, for the product that a benchmark
 * starts.
 */
export function engineVariables(): Record<string, string> {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
