import { loadConfig } from '@citewell/config';
import { SCOPES } from '@citewell/contracts/schemas';
import {
  AuditRepository,
  describeKey,
  generateKey,
  OrganizationRepository,
  TenantScope,
} from '@citewell/database';
import { defineCommand } from '../define-command.js';
import { run as runOverHttp } from './keys.command.js';
import { print } from '../terminal/output.js';
import { UsageError } from '../describe-error.js';
import { withDatabase } from '../with-database.js';

const USAGE = 'citewell keys create --organization <id> [--name <name>]';
const HELP = `Creates an API key with all scopes and prints it. Use this command when an organization has lost its keys.
Run it on the server, with the server's configuration.

  --organization <id>  the organization, or "default" for the organization of the first start
  --name <name>        the name of the key, default "Created on the server"`;

const createOnServer = defineCommand(
  {
    usage: USAGE,
    help: HELP,
    options: {
      organization: { type: 'string' },
      name: { type: 'string', default: 'Created on the server' },
    },
    positionals: { required: 'create', maximum: 1 },
  },
  async ({ organization, name }, [action]) => {
    if (action !== 'create') throw new UsageError('The only action is "create".');
    if (organization === undefined || organization === '') throw new UsageError('--organization is empty.');
    await withDatabase(
      loadConfig(),
      { command: 'keys', ifMissing: 'refuse', poolSize: 1 },
      async (dataSource) => {
        const organizations = new OrganizationRepository(dataSource);
        const found = await (organization === 'default'
          ? organizations.first()
          : organizations.find(organization));
        if (!found) throw new UsageError(`There is no organization ${organization}.`);
        const key = generateKey();
        const scope = new TenantScope(found.id);
        const { id } = await organizations.addKey(scope, { name, scopes: SCOPES, ...describeKey(key) });
        await new AuditRepository(dataSource).record(scope, {
          actorKind: 'operator',
          actorId: null,
          action: 'key.created',
          targetKind: 'key',
          targetId: id,
          targetName: name,
          address: null,
          userAgent: 'citewell keys create',
          outcome: 'ok',
          details: { scopes: SCOPES },
        });
        print(key);
      },
    );
    return 0;
  },
);

/** With `--organization`, a key is created in the database; otherwise, keys are managed over HTTP. */
export const run = Object.assign(
  (args: string[]): Promise<number> =>
    args.some((arg) => /^--organization(?:=|$)/.test(arg)) ? createOnServer(args) : runOverHttp(args),
  { options: [...runOverHttp.options, 'organization', 'name'] },
);
