import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { datasourceErrorOf } from './datasource-error.js';
import { IngestionError } from './ingestion-errors.js';

describe('the error of a datasource', () => {
  it('has the message of its code, or a more specific one', () => {
    assert.deepEqual(datasourceErrorOf('PAGE_GONE', 'Gone.'), {
      code: 'PAGE_GONE',
      message: 'Gone.',
      retryable: false,
    });
    assert.match(datasourceErrorOf('FETCH_FAILED').message, /could not be fetched/);
  });

  it('shows the detail of the raised error, and not its log message', () => {
    const raised = new IngestionError('CORRUPT_FILE', { detail: 'Page 3 is damaged.', message: 'inner' });
    assert.deepEqual(datasourceErrorOf(raised), {
      code: 'CORRUPT_FILE',
      message: 'Page 3 is damaged.',
      retryable: false,
    });
    assert.equal(datasourceErrorOf(raised, 'Torn.').message, 'Torn.');
    assert.match(datasourceErrorOf(new IngestionError('OCR_REQUIRED', { message: 'inner' })).message, /OCR/);
  });

  it('is retryable unless its class is permanent, also after a cancel', () => {
    const retryable = (['PAGE_GONE', 'FETCH_FAILED', 'RATE_LIMITED', 'CANCELLED'] as const).map(
      (code) => datasourceErrorOf(code).retryable,
    );
    assert.deepEqual(retryable, [false, true, true, true]);
  });
});
