import { describe, expect, it } from '@jest/globals';
import { groupOutcome } from './site-and-archive-runs.js';

const pages = (synched: number, failed = 0, { overLimit = 0, stale = 0 } = {}) => ({
  synched,
  failed,
  overLimit,
  stale,
});

describe('the outcome of a site', () => {
  it('depends on the statuses of its pages', () => {
    for (const [counts, status, code] of [
      [pages(3), 'synched', undefined],
      [pages(49, 1), 'synched', 'PARTIAL'],
      [pages(0, 2), 'error', 'SITE_FAILED'],
      [pages(0), 'error', 'SITE_EMPTY'],
      [pages(0, 2, { overLimit: 2 }), 'usage_limit_reached', 'USAGE_LIMIT'],
    ] as const) {
      const outcome = groupOutcome(counts, null);
      expect([outcome.status, outcome.error?.code]).toEqual([status, code]);
    }
  });

  it('names failed pages, and those that still answer with their last content', () => {
    for (const [counts, message] of [
      [pages(49, 1), '1 page could not be ingested; 49 pages answer.'],
      [pages(1, 4, { stale: 4 }), '4 pages could not be updated; 5 pages answer.'],
      [
        pages(1, 3, { stale: 1 }),
        '2 pages could not be ingested, 1 page could not be updated; 2 pages answer.',
      ],
      [pages(0, 2), 'None of its pages could be ingested (2). See the errors of the pages.'],
      [
        pages(0, 2, { stale: 2 }),
        'None of its pages could be updated (2); 2 pages answer with their last content. See the errors of the pages.',
      ],
    ] as const)
      expect(groupOutcome(counts, null).error?.message).toBe(message);
  });

  it('names the files of an archive', () => {
    for (const [counts, code, message] of [
      [pages(2, 1), 'PARTIAL', '1 file could not be ingested; 2 files answer.'],
      [
        pages(0, 2),
        'ARCHIVE_FAILED',
        'None of its files could be ingested (2). See the errors of the files.',
      ],
      [pages(0), 'ARCHIVE_EMPTY', expect.stringContaining('contains no file')],
    ] as const)
      expect(groupOutcome(counts, null, 'file').error).toMatchObject({ code, message });
  });

  it('includes the warning of the crawl', () => {
    const warning = 'The limit of 5 pages was reached.';
    expect(groupOutcome(pages(5), warning).error?.message).toBe(warning);
    expect(groupOutcome(pages(5, 2), warning).error?.message).toBe(
      `2 pages could not be ingested; 5 pages answer. ${warning}`,
    );
  });
});
