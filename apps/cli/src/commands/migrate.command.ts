import { type Config, loadConfig } from '@citewell/config';
import { migrate } from '@citewell/database';
import { queueLocation } from '@citewell/infrastructure';
import { migrateQueue } from '@citewell/queue';
import { defineCommand } from '../define-command.js';
import { withDatabase } from '../with-database.js';
import { type Output, standardOutput } from '../terminal/output.js';

const HELP = `Migrates the schema of the database and, if the queue is in Postgres, the schema of the queue.
It is safe to run this command at any time and on several machines at once.`;

export const run = defineCommand(
  { usage: 'citewell migrate', help: HELP, options: {}, positionals: { maximum: 0 } },
  async (
    _options,
    _positionals,
    { config = loadConfig(), output = standardOutput }: { config?: Config; output?: Output } = {},
  ) =>
    withDatabase(
      config,
      { command: 'migrate', ifMissing: 'create', poolSize: 2 },
      async (dataSource, url) => {
        const applied = await migrate(dataSource, async () => {
          if ('postgresUrl' in queueLocation(config, url)) await migrateQueue(url);
        });
        for (const name of applied) output.write(`applied ${name}\n`);
        output.write('The schema is up to date.\n');
        return 0;
      },
    ),
);
