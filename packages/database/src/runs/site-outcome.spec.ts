import assert from 'node:assert/strict';
import { it } from 'node:test';
import { siteOutcome } from './site-outcome.js';

const pages = (synched: number, failed = 0, { overLimit = 0, stale = 0 } = {}) => ({
  synched,
  failed,
  overLimit,
  stale,
});

it('tells what a site is when its pages are settled', () => {
  assert.deepEqual(siteOutcome(pages(3), null), { status: 'synched', error: null });
  assert.deepEqual(siteOutcome(pages(49, 1), null), {
    status: 'synched',
    error: {
      code: 'PARTIAL',
      message: '1 page could not be brought in; 49 pages answer.',
      retryable: false,
    },
  });
  assert.equal(siteOutcome(pages(0, 2), null).status, 'error');
  assert.equal(siteOutcome(pages(0, 2), null).error?.code, 'SITE_FAILED');
  assert.equal(siteOutcome(pages(0), null).error?.code, 'SITE_EMPTY');
  assert.equal(siteOutcome(pages(0, 2, { overLimit: 2 }), null).status, 'usage_limit_reached');
});

it('says why a crawl did not get to everything', () => {
  const cut = 'The limit of 5 pages was reached.';
  assert.equal(siteOutcome(pages(5), cut).error?.message, cut);
  assert.equal(
    siteOutcome(pages(5, 2), cut).error?.message,
    `2 pages could not be brought in; 5 pages answer. ${cut}`,
  );
});

it('tells what is not there from what answers as it did before', () => {
  const message = (...counts: Parameters<typeof pages>) => siteOutcome(pages(...counts), null).error?.message;
  assert.equal(message(1, 4, { stale: 4 }), '4 pages could not be brought up to date; 5 pages answer.');
  assert.equal(
    message(0, 2, { stale: 2 }),
    'None of its pages could be brought up to date (2); 2 pages answer with what was there before. Look at their errors.',
  );
  assert.equal(
    message(1, 3, { stale: 1 }),
    '2 pages could not be brought in, 1 page could not be brought up to date; 2 pages answer.',
  );
});
