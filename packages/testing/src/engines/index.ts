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
export { redisCommand, RedisServer, waitForPort } from './redis.js';
