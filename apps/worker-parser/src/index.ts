export { WorkerParserModule } from './worker-parser.module.js';
