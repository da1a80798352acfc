import { CitewellError, DatasourceFailedError } from '@citewell/sdk';
import { expect, it } from '@jest/globals';
import { describeError } from './describe-error.js';

function failed(code: string): DatasourceFailedError {
  const error = { code, message: 'It failed.', retryable: false };
  // The message needs only these fields.
  return new DatasourceFailedError({
    id: 'd1',
    status: 'error',
    error,
  } as DatasourceFailedError['datasource']);
}

it.each([
  [
    new CitewellError('UNAUTHORIZED', 'Send a key.'),
    /CITEWELL_API_KEY\. On the server, "citewell keys create /,
  ],
  [new CitewellError('FORBIDDEN', 'No scope.', { status: 403 }), /^No scope\. \(FORBIDDEN\) On the server/],
  [
    new CitewellError('USAGE_LIMIT', 'Used up.'),
    /^Used up\. \(USAGE_LIMIT\) Show the usage with "citewell status"\.$/,
  ],
  [new CitewellError('UNSUPPORTED_MEDIA_TYPE', 'No.'), /See docs\/files\.md\.$/],
  [
    new CitewellError('RATE_LIMIT', 'Slow down.', { retryAfterSeconds: 3 }),
    /^Slow down\. Try again in 3 s\.$/,
  ],
  [new CitewellError('CONFLICT', 'No.'), /^No\. \(CONFLICT\)$/],
  [
    failed('SITE_FAILED'),
    /^It failed\. \(SITE_FAILED\) List their errors with "citewell ls --group d1 --status error"\.$/,
  ],
  [failed('SITE_EMPTY'), /"citewell ls urls --group d1"/],
  [failed('toString'), /^It failed\. \(toString\)$/],
])('%s names the command or guide that helps', (error, message) => {
  expect(describeError(error).message).toMatch(message);
});
