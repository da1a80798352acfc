// The suites that `npm test` runs on the embedded deployment only.
process.env['TEST_DEPLOYMENT'] = 'scaled';
await import('./specification.e2e.js');
await import('./answers.e2e.js');
await import('./archives.e2e.js');
await import('./resumable-answers.e2e.js');
await import('./model-choice.e2e.js');
await import('./chat-model-choice.e2e.js');
await import('./model-servers.e2e.js');
await import('./own-models.e2e.js');
