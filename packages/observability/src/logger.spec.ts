import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLogger, withLogContext } from './logger.js';

function capture(level = 'info') {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger('test', level, { write: (line) => void lines.push(JSON.parse(line)) });
  return { lines, logger };
}

describe('logger', () => {
  it('writes JSON lines with the nested context of the request or job', async () => {
    const { lines, logger } = capture();
    await withLogContext({ requestId: 'r1' }, async () => {
      await Promise.resolve();
      withLogContext({ runId: 'run' }, () => logger.info({ pages: 3 }, 'parsed'));
    });
    logger.info('outside');
    assert.equal(lines[0]?.requestId, 'r1');
    assert.equal(lines[0]?.runId, 'run');
    assert.equal(lines[0]?.msg, 'parsed');
    assert.equal(lines[0]?.level, 'info');
    assert.equal(lines[1]?.requestId, undefined);
  });

  it('redacts fields that may contain a secret', () => {
    const { lines, logger } = capture();
    logger.info({ headers: { authorization: 'Bearer cw_secret' }, apiKey: 'sk-1' }, 'request');
    assert.ok(!JSON.stringify(lines).includes('cw_secret'));
    assert.ok(!JSON.stringify(lines).includes('sk-1'));
  });

  it('logs the error of an SQL statement without its parameters', () => {
    const { lines, logger } = capture();
    const error = Object.assign(new Error('invalid byte sequence'), {
      query: 'INSERT INTO messages VALUES ($1)',
      parameters: ['my private question'],
      driverError: { detail: 'my private question' },
    });
    logger.error({ err: error }, 'request failed');
    const [line] = lines;
    assert.ok(JSON.stringify(line).includes('invalid byte sequence'));
    assert.ok(!JSON.stringify(line).includes('private question'));
  });
});
