import type { Citewell } from '@citewell/sdk';
import { defineCommand } from '../define-command.js';
import { connect } from '../connect.js';
import { describeError, EXIT_FAILED } from '../describe-error.js';
import { print, printToStderr } from '../terminal/output.js';
import { inOneLine } from '../terminal/printable.js';
import { UsageError } from '../usage-error.js';

const USAGE = 'citewell rm <id>... [--kind datasource | datastore | agent]';
const HELP = `Deletes datasources, datastores or agents permanently. Deleting a datastore also deletes its datasources.

  --kind <kind>  the kind of the ids: datasource (default), datastore or agent

Prints the id and the name of each deleted item. The exit code is 1 if any of them could not be deleted.`;

type Remove = (client: Citewell, id: string) => Promise<{ id: string; name: string }>;

const KINDS: ReadonlyMap<string, Remove> = new Map<string, Remove>([
  ['datasource', ({ datasources }, id) => datasources.delete(id)],
  ['datastore', ({ datastores }, id) => datastores.delete(id)],
  ['agent', ({ agents }, id) => agents.delete(id)],
]);

export const run = defineCommand(
  {
    usage: USAGE,
    help: HELP,
    options: { kind: { type: 'string' } },
    positionals: { required: '<id>', maximum: Number.POSITIVE_INFINITY },
  },
  async ({ kind = 'datasource' }, ids) => {
    const remove = KINDS.get(kind);
    if (!remove) throw new UsageError(`Unknown kind "${kind}". Use one of: ${[...KINDS.keys()].join(', ')}.`);
    const client = connect();
    let exitCode = 0;
    for (const id of ids) {
      try {
        const removed = await remove(client, id);
        print(`${removed.id}  ${inOneLine(removed.name)}`);
      } catch (error) {
        printToStderr(`${inOneLine(id)}: ${describeError(error).message}`);
        exitCode = EXIT_FAILED;
      }
    }
    return exitCode;
  },
);
