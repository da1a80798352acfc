import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLogger } from '@citewell/observability';
import { NestLogger } from './nest-logger.js';

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
