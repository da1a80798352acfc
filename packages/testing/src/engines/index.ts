export { chromiumForTests } from './chromium.js';
export {
  createDataDirectory,
  createTestDatabase,
  freePort,
  prepareDataDirectory,
  startPostgres,
  type TestDatabase,
  type ThrowAwayPostgres,
} from './postgres.js';
export { startRedis, waitForPort, type RedisServer } from './redis.js';
