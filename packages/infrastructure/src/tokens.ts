/** What is injected by name, because an interface has no value to inject by. */
export const CONFIG = Symbol('Config');
export const LOGGER = Symbol('Logger');
export const BLOB_STORE = Symbol('BlobStore');
export const VECTOR_STORE = Symbol('VectorStore');
export const EMBEDDING_MODEL = Symbol('EmbeddingModel');
/** The vector space that new chunks are written to. */
export const SPACE = Symbol('Space');
export const QUEUE_CONNECTION = Symbol('QueueConnection');
/** Names this process in leases and among the workers. */
export const PROCESS_NAME = Symbol('ProcessName');
export const DATABASE_URL = Symbol('DatabaseUrl');
