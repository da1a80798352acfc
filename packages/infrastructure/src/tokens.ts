/** Injection tokens for interfaces and values, which cannot be injected by class. */
export const CONFIG = Symbol('Config');
export const LOGGER = Symbol('Logger');
export const BLOB_STORE = Symbol('BlobStore');
export const VECTOR_STORE = Symbol('VectorStore');
/** See `Spaces`. */
export const SPACES = Symbol('Spaces');
/** Unique name of this process, in leases and in the table of workers. */
export const PROCESS_NAME = Symbol('ProcessName');
/** See `startTelemetry`. */
export const TELEMETRY = Symbol('Telemetry');
export const DATABASE_URL = Symbol('DatabaseUrl');
