import type { ApiKey, Citewell, Scope } from '@citewell/sdk';
import { defineCommand } from '../define-command.js';
import { connect } from '../connect.js';
import { inOneLine, print, printToStderr, toColumns } from '../terminal/output.js';
import { UsageError } from '../describe-error.js';

const USAGE = 'citewell keys [list | create <name> | revoke <id>]';
const HELP = `Lists, creates and revokes API keys of the organization. It needs a key with the scope admin.
list prints the columns id, prefix, scopes, expiry and name. create prints the new key, which is shown only once.

  --scopes <scopes>  of the new key, separated by commas: agents:query, datastores:query, read, write, admin;
                     default: agents:query,datastores:query,read,write
  --expires <time>   when the new key expires, as 2030-01-31T00:00:00Z; default: never
  --json             one JSON object per line

On the server, "citewell keys create --organization <id>" creates a key without having one: add --help.`;

const OPTIONS = {
  scopes: { type: 'string', default: 'agents:query,datastores:query,read,write' },
  expires: { type: 'string' },
  json: { type: 'boolean' },
} as const;

const SCOPES: readonly Scope[] = ['agents:query', 'datastores:query', 'read', 'write', 'admin'];

export const run = defineCommand(
  { usage: USAGE, help: HELP, options: OPTIONS, positionals: { maximum: 2 } },
  async ({ scopes, expires, json: isJson = false }, [action = 'list', argument]) => {
    switch (action) {
      case 'list':
        await list(connect(), isJson);
        return 0;
      case 'create': {
        if (argument === undefined) throw new UsageError('<name> of the new key is missing.');
        const fields = { name: argument, scopes: parseScopes(scopes), expiresAt: expires };
        const created = await connect().apiKeys.create(fields);
        print(isJson ? JSON.stringify(created) : created.key);
        if (!isJson) printToStderr('Store the key: it is not shown again.');
        return 0;
      }
      case 'revoke': {
        if (argument === undefined)
          throw new UsageError('<id> is missing. List the keys with "citewell keys".');
        const revoked = await connect().apiKeys.delete(argument);
        print(isJson ? JSON.stringify(revoked) : `${revoked.id}  ${inOneLine(revoked.name)}`);
        return 0;
      }
      default:
        throw new UsageError(`Unknown action "${action}". Use list, create or revoke.`);
    }
  },
);

async function list({ apiKeys }: Citewell, isJson: boolean): Promise<void> {
  const keys: ApiKey[] = [];
  for await (const key of apiKeys.list({ limit: 100 })) keys.push(key);
  if (isJson) for (const key of keys) print(JSON.stringify(key));
  else
    print(
      toColumns(
        keys.map(({ id, prefix, scopes, expiresAt, name }) => [
          id,
          `${prefix}…`,
          scopes.join(','),
          expiresAt ?? '-',
          inOneLine(name),
        ]),
      ),
    );
}

/** @throws {@link UsageError} for an unknown scope */
function parseScopes(text: string): Scope[] {
  return text.split(',').map((name) => {
    const scope = SCOPES.find((known) => known === name.trim());
    if (!scope) throw new UsageError(`Unknown scope "${name.trim()}". Use ${SCOPES.join(', ')}.`);
    return scope;
  });
}
