// The suites that `npm test` runs on the embedded deployment only.
process.env['TEST_DEPLOYMENT'] = 'scaled';
await import('../specification/specification.e2e.js');
await import('../answering/answers.e2e.js');
await import('../content/archives.e2e.js');
await import('../answering/resumable-answers.e2e.js');
await import('../models/model-choice.e2e.js');
await import('../models/chat-model-choice.e2e.js');
await import('../models/model-servers.e2e.js');
await import('../models/own-models.e2e.js');
