export { NoEmbeddedPostgresError } from './postgres-binaries.js';
export {
  DataDirectoryInUseError,
  findRunningPostgres,
  PostgresServer,
  type PostgresServerOptions,
} from './postgres-server.js';
