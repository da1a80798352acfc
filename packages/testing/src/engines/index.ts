export { chromiumForTests } from './chromium.js';
export {
  createTestDatabase,
  freePort,
  startPostgres,
  type TestDatabase,
  type ThrowAwayPostgres,
} from './postgres.js';
export { startRedis, waitForPort, type RedisServer } from './redis.js';
