export { withBetterLanguage } from './recognition/recognition-languages.js';
export { ParserSandbox } from './sandbox/parser-sandbox.js';
export { WorkerParserModule } from './worker-parser.module.js';
