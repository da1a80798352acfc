export { chromiumForTests } from './chromium.js';
export { freePort, startPostgres, type ThrowAwayPostgres } from './postgres.js';
export { startRedis, waitForPort, type RedisServer } from './redis.js';
