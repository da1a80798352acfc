import type { CheckSource, CreateDatasource, SourceCheck } from '@citewell/sdk';
import { connect } from '../connect.js';
import { defineCommand } from '../define-command.js';
import { UsageError } from '../describe-error.js';
import { chooseDatastore } from '../named-collection.js';
import { inOneLine, print, styleStatus } from '../terminal/output.js';
import { readSecret } from '../terminal/read-secret.js';

const USAGE = 'citewell connect <config> [--datastore <id or name>] [--secret <name>]';
const HELP = `Connects a datastore to a source, which it follows: a folder of the server, S3, WebDAV and other storages, a feed, a
mailbox, a Git repository, or a program. <config> is JSON, as in the API:

  citewell connect '{"kind": "feed", "url": "https://example.org/news.xml"}'
  citewell connect '{"kind": "mailbox", "host": "imap.example.org", "user": "me"}' --secret password < password.txt

  --datastore <id or name>  the datastore; optional if there is only one
  --create                  create the datastore if no datastore has this name
  --name <name>             name of the source
  --secret <name>           read this secret from standard input, such as password or token
  --check                   only test the connection, and print the first documents
  --no-wait                 return without waiting for the first sync
  --json                    print the result as JSON

Prints the id and the status of the source, and its name. The exit code is 1 if the source could not be synched.`;

export const run = defineCommand(
  {
    usage: USAGE,
    help: HELP,
    options: {
      datastore: { type: 'string' },
      create: { type: 'boolean' },
      name: { type: 'string' },
      secret: { type: 'string' },
      check: { type: 'boolean' },
      'no-wait': { type: 'boolean' },
      json: { type: 'boolean' },
    },
    positionals: { required: '<config>', maximum: 1 },
  },
  async (
    { datastore, create = false, name, secret, check = false, 'no-wait': noWait = false, json = false },
    [text = ''],
  ) => {
    const config = parseConfig(text);
    const client = connect();
    const secrets = secret === undefined ? {} : { secrets: { [secret]: await readSecret(secret) } };
    if (check) {
      const found = await client.datasources.checkSource({ config, ...secrets } as CheckSource);
      print(json ? JSON.stringify(found) : describeCheck(found));
      return 0;
    }
    const { id: datastoreId } = await chooseDatastore(client, datastore, create);
    const source = { type: 'source', datastoreId, config, ...secrets, ...(name !== undefined && { name }) };
    // The API checks what the person has written.
    const created = await client.datasources.create(source as CreateDatasource);
    const connected = noWait ? created : await client.datasources.waitUntilSynched(created.id);
    print(
      json
        ? JSON.stringify(connected)
        : `${connected.id}  ${styleStatus(connected.status)}  ${inOneLine(connected.name)}`,
    );
    return 0;
  },
);

function parseConfig(text: string): object {
  try {
    const config: unknown = JSON.parse(text);
    if (typeof config === 'object' && config !== null) return config;
  } catch {
    // The same advice.
  }
  throw new UsageError(
    `<config> must be a JSON object, such as '{"kind": "feed", "url": "https://example.org/news.xml"}'.`,
  );
}

function describeCheck({ message, documents, found, leftOut, isComplete }: SourceCheck): string {
  const count = `${isComplete ? '' : 'at least '}${found} documents, ${leftOut} left out`;
  return [inOneLine(message), count, ...documents.map(({ path }) => `  ${inOneLine(path)}`)].join('\n');
}
