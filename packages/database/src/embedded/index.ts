export { findRunningPostgres, PostgresServer } from './postgres-server.js';
