import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLogger } from '@citewell/observability';
import { NestLogger } from './nest-logger.js';

describe('Nest logger', () => {
  it('writes Nest’s lines in our format, its chatter a level lower', () => {
    const lines: Record<string, unknown>[] = [];
    const logger = new NestLogger(
      createLogger('test', 'trace', { write: (line) => void lines.push(JSON.parse(line)) }),
    );
    logger.log('route mapped');
    logger.warn('careful');
    logger.error('broken', 'at line 1');
    logger.debug('detail');
    logger.verbose('more');
    assert.deepEqual(
      lines.map((line) => [line.level, line.msg]),
      [
        ['debug', 'route mapped'],
        ['warn', 'careful'],
        ['error', 'broken'],
        ['trace', 'detail'],
        ['trace', 'more'],
      ],
    );
    assert.equal(lines[2]?.stack, 'at line 1');
  });
});
