// Runs the scenario in Node, Bun or Deno, and prints its result as JSON.
import process from 'node:process';
import { fileFromPath } from '@citewell/sdk/node';
import { runScenario } from './scenario.js';

const [baseUrl = '', apiKey = '', path = ''] = process.argv.slice(2);
const result = await runScenario({ baseUrl, apiKey }, await fileFromPath(path));
process.stdout.write(JSON.stringify(result));
