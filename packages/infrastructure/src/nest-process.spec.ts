import { createLogger } from '@citewell/observability';
import { describe, expect, it } from '@jest/globals';
import { NestLogger } from './nest-process.js';

describe('NestLogger', () => {
  it('writes Nest’s log lines in our format, informational ones at a lower level', () => {
    const lines: Record<string, unknown>[] = [];
    const logger = new NestLogger(
      createLogger('test', 'trace', { write: (line) => void lines.push(JSON.parse(line)) }),
    );
    logger.log('route mapped');
    logger.warn('careful');
    logger.error('broken', 'at line 1');
    logger.debug('detail');
    logger.verbose('more');
    expect(lines.map((line) => [line.level, line.msg])).toEqual([
      ['debug', 'route mapped'],
      ['warn', 'careful'],
      ['error', 'broken'],
      ['trace', 'detail'],
      ['trace', 'more'],
    ]);
    expect(lines[2]?.stack).toBe('at line 1');
  });
});
