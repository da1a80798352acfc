import {
  type Config,
  ConfigError,
  loadStandaloneConfig,
  misspelledVariables,
  type OutgoingHost,
  outgoingHosts,
} from '@citewell/config';
import { endWithSupervisor, type ServiceIsReady } from './supervise-service.js';
import { endsAtFault, type RunningStandalone, startStandalone } from './standalone.js';

/** The port of before if the supervisor has started the service again. */
const [, , formerPort] = process.argv;

endWithSupervisor();
try {
  const config = loadStandaloneConfig();
  const { port } = await (formerPort === undefined
    ? startFirst(config)
    : startStandalone({ ...config, PORT: Number(formerPort) }));
  // A service that has not told that it is ready is not started again.
  if (!endsAtFault(config)) process.send?.({ port } satisfies ServiceIsReady);
} catch (error) {
  const reason = error instanceof ConfigError ? error.message : describeStartError(error);
  process.stderr.write(`\nCitewell could not start. ${reason}\n`);
  process.exit(1);
}

async function startFirst(config: Config): Promise<RunningStandalone> {
  const startedAt = performance.now();
  for (const sentence of misspelledVariables()) process.stderr.write(`${sentence}\n`);
  const standalone = await startStandalone(config);
  const seconds = (performance.now() - startedAt) / 1_000;
  // Later starts print it for a person only, unless nobody has used it: the output of a service may be kept in a log. With a
  // key of the operator, nobody needs the link.
  const { apiKey, signInLink: link } = standalone;
  const isFirst = apiKey !== null || (link?.isFirst === true && config.CITEWELL_API_KEY === undefined);
  const signInLink = isFirst || process.stdout.isTTY ? (link?.url ?? null) : null;
  process.stdout.write(welcomeMessage({ ...standalone, signInLink, seconds, hosts: outgoingHosts(config) }));
  return standalone;
}

/** For common errors: what happened and what to do. */
function describeStartError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  const port = 'port' in error ? error.port : undefined;
  const path = 'path' in error ? String(error.path) : '';
  if (code === 'EADDRINUSE')
    return `Port ${String(port)} is in use by another program. Stop that program, or set PORT to another port.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'HOST is not an address of this machine. Set it to 127.0.0.1, or to 0.0.0.0 to listen on all addresses.';
  if (code === 'ECONNREFUSED')
    return `No server accepts connections at port ${String(port)}. Check DATABASE_URL and REDIS_URL, and that these servers are running.`;
  if (code === 'EEXIST' || code === 'ENOTDIR')
    return `${path} is not a directory. Set CITEWELL_DATA_DIR to a directory, which may be new.`;
  if (code === 'EACCES' || code === 'EROFS')
    return path === ''
      ? 'Access to the data directory or the port was denied. Set CITEWELL_DATA_DIR to a writable directory, or PORT to another port.'
      : `Access to ${path} was denied. Set CITEWELL_DATA_DIR to a writable directory.`;
  if (code === 'ENOSPC')
    return 'The disk is full. Free some space, or set CITEWELL_DATA_DIR to a directory on another disk.';
  return error.message;
}

interface WelcomeOptions {
  /** Base URL of the service, without `/api`. */
  url: string;
  /** The first API key if this start created it, otherwise null: a key is shown only once. */
  apiKey: string | null;
  /** Signs a browser in, once; null to leave it out. */
  signInLink: string | null;
  dataDirectory: string;
  /** Duration of the start. */
  seconds: number;
  /** What the service may call. */
  hosts: readonly OutgoingHost[];
}

/**
 * The message that a user reads when the service is ready. Its commands work
 * in bash and zsh. They contain no comments, because an interactive zsh does
 * not accept comments. `&&` ends the sequence at the first failed command.
 */
function welcomeMessage({ url, apiKey, signInLink, dataDirectory, seconds, hosts }: WelcomeOptions): string {
  return `
Citewell is ready at ${url} (started in ${seconds.toFixed(1)} s).
Its data is in ${dataDirectory}.
${outgoingLines(hosts)}${signInLink === null ? '' : `\n  Open this link in a browser. It signs you in, once:\n  ${signInLink}\n`}${
    apiKey === null
      ? '\nUse the API key that the first start printed, or the key that you set in CITEWELL_API_KEY.\n'
      : `\n  API key, shown only once:  ${apiKey}\n`
  }
To try it without a browser, open another terminal and paste these commands. Replace your-file.pdf with a file of yours${apiKey === null ? ',\nand your-api-key with the API key' : ''}:

${exampleCommands(url, apiKey ?? 'your-api-key')}

These commands create a datastore, upload the file, wait until it is indexed, create an agent and ask it a
question. If a command fails, it prints the error message of the server, and the next commands do not run.

API reference: ${url}/api/docs
Command line client: npm run citewell -- --help
Press Ctrl-C to stop Citewell.
`;
}

function outgoingLines(hosts: readonly OutgoingHost[]): string {
  if (hosts.length === 0) return 'It connects to no other machine.\n';
  const lines = hosts.map(({ host, why }) => `  ${host}: ${why}\n`);
  return `It may connect to other machines (OFFLINE=true leaves only those that variables name):\n${lines.join('')}`;
}

/**
 * The shell functions of the commands: `created` prints the id of a created resource. For any other response,
 * it prints the response and fails. `progress` prints the changes of a datasource to standard error, and
 * returns the last.
 */
function exampleCommands(url: string, apiKey: string): string {
  return `  URL=${url}/api KEY=${apiKey} JSON='Content-Type: application/json'
  api() { curl -sS -H "Authorization: Bearer $KEY" "$@"; }
  created() { awk -F'"' '$2 == "id" { print $4; ok = 1; next } { print > "/dev/stderr" } END { exit !ok }'; }
  progress() { grep --line-buffered -oE '"(status|message)":"[^"]*"' | tee -a /dev/stderr | tail -n 1; }

  STORE=$(api $URL/datastores -H "$JSON" -d '{"name":"First steps"}' | created) &&
  FILE=$(api $URL/datasources -F datastoreId=$STORE -F file=@your-file.pdf | created) &&
  api -N $URL/datasources/$FILE/events | progress | grep -q '"synched"' &&
  AGENT=$(api $URL/agents -H "$JSON" -d '{"name":"Reader","datastoreIds":["'$STORE'"]}' | created) &&
  api -N $URL/agents/$AGENT/query -H "$JSON" -d '{"query":"What is it about?","streaming":true}'`;
}
