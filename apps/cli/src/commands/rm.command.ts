import type { Citewell } from '@citewell/sdk';
import { defineCommand } from '../command.js';
import { connect } from '../connection.js';
import { describeError, EXIT_FAILED } from '../describe-error.js';
import { note, print } from '../terminal/output.js';
import { inOneLine } from '../terminal/printable.js';
import { UsageError } from '../usage-error.js';

const HELP = `citewell rm <id>... [--kind datasource | datastore | agent]

Removes, for good. From then on no question finds anything of it.

  --kind <kind>  what the ids name, default datasource; a datastore takes its datasources along

Prints id and name of each. Exit code 1 when any of them could not be removed.`;

type Remove = (client: Citewell, id: string) => Promise<{ id: string; name: string }>;

const KINDS: ReadonlyMap<string, Remove> = new Map<string, Remove>([
  ['datasource', ({ datasources }, id) => datasources.delete(id)],
  ['datastore', ({ datastores }, id) => datastores.delete(id)],
  ['agent', ({ agents }, id) => agents.delete(id)],
]);

export const run = defineCommand(
  { help: HELP, options: { kind: { type: 'string' } }, positionals: [1, Number.MAX_SAFE_INTEGER] },
  async ({ kind = 'datasource' }, ids) => {
    const remove = KINDS.get(kind);
    if (!remove) throw new UsageError(`There is no kind "${kind}": ${[...KINDS.keys()].join(', ')}.`);
    const client = connect();
    let exitCode = 0;
    for (const id of ids) {
      try {
        const removed = await remove(client, id);
        print(`${removed.id}  ${inOneLine(removed.name)}`);
      } catch (error) {
        note(`${inOneLine(id)}: ${describeError(error).sentence}`);
        exitCode = EXIT_FAILED;
      }
    }
    return exitCode;
  },
);
