import type { Citewell } from '@citewell/sdk';
import { defineCommand } from '../define-command.js';
import { connect } from '../connect.js';
import { describeError, EXIT_FAILED, UsageError } from '../describe-error.js';
import {
  agentsOf,
  datasourcesOf,
  datastoresOf,
  type NamedCollection,
  type NamedItem,
  requireByIdOrName,
} from '../named-collection.js';
import { inOneLine, print, printToStderr } from '../terminal/output.js';

const USAGE = 'citewell rm <id or name>... [--kind datasource | datastore | agent]';
const HELP = `Deletes datasources, datastores or agents permanently. Deleting a datastore also deletes its datasources.
A name must be unique: if several have it, none is deleted, and their ids are listed. The pages of a web site
and the files of an archive have only ids.

  --kind <kind>  what to delete: datasource (default), datastore or agent
  --json         one JSON object per line

Prints the id and the name of each deleted item. The exit code is 1 if any of them could not be deleted.`;

const KINDS: ReadonlyMap<string, (client: Citewell) => NamedCollection<NamedItem>> = new Map<
  string,
  (client: Citewell) => NamedCollection<NamedItem>
>([
  ['datasource', datasourcesOf],
  ['datastore', datastoresOf],
  ['agent', agentsOf],
]);

export const run = defineCommand(
  {
    usage: USAGE,
    help: HELP,
    options: { kind: { type: 'string' }, json: { type: 'boolean' } },
    positionals: { required: '<id or name>', maximum: Number.POSITIVE_INFINITY },
  },
  async ({ kind = 'datasource', json: isJson = false }, idsOrNames) => {
    const collectionOf = KINDS.get(kind);
    if (!collectionOf)
      throw new UsageError(`Unknown kind "${kind}". Use one of: ${[...KINDS.keys()].join(', ')}.`);
    const collection = collectionOf(connect());
    let exitCode = 0;
    for (const idOrName of idsOrNames) {
      try {
        const { id } = await requireByIdOrName(collection, idOrName);
        const removed = await collection.remove(id);
        print(isJson ? JSON.stringify(removed) : `${removed.id}  ${inOneLine(removed.name)}`);
      } catch (error) {
        printToStderr(`${inOneLine(idOrName)}: ${describeError(error).message}`);
        exitCode = EXIT_FAILED;
      }
    }
    return exitCode;
  },
);
