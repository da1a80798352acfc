#!/usr/bin/env node
import { describeError, EXIT_USAGE } from './describe-error.js';
import { print, printToStderr, stopOnClosedPipe } from './terminal/output.js';

/** Major version of the Node that this repository installs. The Node of the system may be older. */
const MIN_NODE = 24;

interface CommandModule {
  /** Resolves to the exit code. */
  run(args: string[]): Promise<number>;
}

interface Command {
  summary: string;
  /** Loads the module on demand, so that a command does not load the dependencies of other commands. */
  load(): Promise<CommandModule>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  add: { summary: 'add files and pages to a datastore', load: () => import('./commands/add.command.js') },
  ask: {
    summary: 'ask a question and print the cited sources',
    load: () => import('./commands/ask.command.js'),
  },
  ls: { summary: 'list datasources, datastores and agents', load: () => import('./commands/ls.command.js') },
  rm: {
    summary: 'delete datasources, datastores and agents',
    load: () => import('./commands/rm.command.js'),
  },
  status: {
    summary: 'show the state of datasources and the usage',
    load: () => import('./commands/status.command.js'),
  },
  doctor: {
    summary: 'check the database and the stores (run it on the server)',
    load: () => import('./commands/doctor.command.js'),
  },
  migrate: {
    summary: 'migrate the database schema (run it on the server)',
    load: () => import('./commands/migrate.command.js'),
  },
};

function help(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const lines = Object.entries(COMMANDS).map(
    ([name, { summary }]) => `  citewell ${name.padEnd(width)}  ${summary}`,
  );
  return `Answers questions from your own documents, with sources that you can check.

${lines.join('\n')}

"citewell <command> --help" shows the options of a command.

CITEWELL_URL      address of the service, default http://127.0.0.1:3000
CITEWELL_API_KEY  API key of the service`;
}

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || ['help', '--help', '-h'].includes(name)) {
    print(help());
    return name === undefined ? EXIT_USAGE : 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    printToStderr(`citewell: Unknown command "${name}". See "citewell --help".`);
    return EXIT_USAGE;
  }
  try {
    const { run } = await command.load();
    return await run(args);
  } catch (error) {
    const { message, exitCode } = describeError(error);
    printToStderr(`citewell ${name}: ${message}`);
    return exitCode;
  }
}

stopOnClosedPipe();
if (Number(process.versions.node.split('.')[0]) < MIN_NODE) {
  printToStderr(
    `citewell: Node ${MIN_NODE} or newer is required. Use \`npm run citewell -- <command>\`, which runs the installed Node ${MIN_NODE}.`,
  );
  process.exit(EXIT_USAGE);
}
process.exitCode = await main(process.argv.slice(2));
