// The suites that `npm test` runs on the embedded deployment only.
process.env['TEST_DEPLOYMENT'] = 'scaled';
await import('./specification.e2e.js');
await import('./streaming.e2e.js');
await import('./prompting.e2e.js');
await import('./archives.e2e.js');
await import('./model-output.e2e.js');
