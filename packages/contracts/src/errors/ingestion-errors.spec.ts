import { describe, expect, it } from '@jest/globals';
import { datasourceErrorOf, IngestionError } from './ingestion-errors.js';

describe('the error of a datasource', () => {
  it('has the message of its code, or a more specific one', () => {
    expect(datasourceErrorOf('PAGE_GONE', 'Gone.')).toEqual({
      code: 'PAGE_GONE',
      message: 'Gone.',
      retryable: false,
    });
    expect(datasourceErrorOf('FETCH_FAILED').message).toMatch(/could not be fetched/);
  });

  it('shows the detail of the raised error, and not its log message', () => {
    const raised = new IngestionError('CORRUPT_FILE', { detail: 'Page 3 is damaged.', message: 'inner' });
    expect(datasourceErrorOf(raised)).toEqual({
      code: 'CORRUPT_FILE',
      message: 'Page 3 is damaged.',
      retryable: false,
    });
    expect(datasourceErrorOf(raised, 'Torn.').message).toBe('Torn.');
    expect(datasourceErrorOf(new IngestionError('OCR_REQUIRED', { message: 'inner' })).message).toMatch(
      /OCR/,
    );
  });

  it('is retryable unless its class is permanent, also after a cancel', () => {
    const retryable = (['PAGE_GONE', 'FETCH_FAILED', 'RATE_LIMITED', 'CANCELLED'] as const).map(
      (code) => datasourceErrorOf(code).retryable,
    );
    expect(retryable).toEqual([false, true, true, true]);
  });
});
