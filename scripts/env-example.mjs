// `npm run env-example`: generates `.env.example` from the table of variables.
import { writeFileSync } from 'node:fs';
import { renderEnvExample } from '../packages/config/dist/index.js';

writeFileSync(new URL('../.env.example', import.meta.url), renderEnvExample());
