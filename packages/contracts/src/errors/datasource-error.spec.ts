import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { datasourceErrorOf } from './datasource-error.js';
import { IngestionError } from './ingestion-errors.js';

describe('the error of a datasource', () => {
  it('has the sentence of its code, or one that knows more', () => {
    assert.deepEqual(datasourceErrorOf('PAGE_GONE', 'Gone.'), {
      code: 'PAGE_GONE',
      message: 'Gone.',
      retryable: false,
    });
    assert.match(datasourceErrorOf('FETCH_FAILED').message, /could not be fetched/);
  });

  it('says what was raised with it, and nothing of what is meant for the log', () => {
    const raised = new IngestionError('CORRUPT_FILE', { detail: 'Page 3 is damaged.', message: 'inner' });
    assert.deepEqual(datasourceErrorOf(raised), {
      code: 'CORRUPT_FILE',
      message: 'Page 3 is damaged.',
      retryable: false,
    });
    assert.equal(datasourceErrorOf(raised, 'Torn.').message, 'Torn.');
    assert.match(datasourceErrorOf(new IngestionError('OCR_REQUIRED', { message: 'inner' })).message, /OCR/);
  });

  it('is worth another try unless trying gives the same: also after a cancel', () => {
    const tries = (['PAGE_GONE', 'FETCH_FAILED', 'RATE_LIMITED', 'CANCELLED'] as const).map(
      (code) => datasourceErrorOf(code).retryable,
    );
    assert.deepEqual(tries, [false, true, true, true]);
  });
});
