import { describe, expect, it } from '@jest/globals';
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
    expect(lines[0]?.requestId).toBe('r1');
    expect(lines[0]?.runId).toBe('run');
    expect(lines[0]?.msg).toBe('parsed');
    expect(lines[0]?.level).toBe('info');
    expect(lines[1]?.requestId).toBeUndefined();
  });

  it('redacts fields that may contain a secret', () => {
    const { lines, logger } = capture();
    logger.info({ headers: { authorization: 'Bearer cw_secret' }, apiKey: 'sk-1' }, 'request');
    expect(JSON.stringify(lines)).not.toContain('cw_secret');
    expect(JSON.stringify(lines)).not.toContain('sk-1');
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
    expect(JSON.stringify(line)).toContain('invalid byte sequence');
    expect(JSON.stringify(line)).not.toContain('private question');
  });
});
