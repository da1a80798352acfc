#!/usr/bin/env node
import { describeError, EXIT_USAGE } from './describe-error.js';
import { note, print, stopOnClosedPipe } from './terminal/output.js';

/** The release that the installation brings along; the system's own may be older. */
const MIN_NODE = 24;

/** What a command module exports; the promise is the exit code. */
interface CommandModule {
  run(args: string[]): Promise<number>;
}

interface Command {
  summary: string;
  /** Loaded when it is called, so that none pays for what another one needs. */
  load(): Promise<CommandModule>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  add: { summary: 'put files and pages into a datastore', load: () => import('./commands/add.command.js') },
  ask: { summary: 'ask a question, with its sources', load: () => import('./commands/ask.command.js') },
  ls: { summary: 'list what there is', load: () => import('./commands/ls.command.js') },
  rm: { summary: 'remove', load: () => import('./commands/rm.command.js') },
  status: { summary: 'how far things are', load: () => import('./commands/status.command.js') },
  doctor: {
    summary: 'compare database and stores (on the server)',
    load: () => import('./commands/doctor.command.js'),
  },
  migrate: {
    summary: 'bring the database up to date (on the server)',
    load: () => import('./commands/migrate.command.js'),
  },
};

function help(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const lines = Object.entries(COMMANDS).map(
    ([name, { summary }]) => `  citewell ${name.padEnd(width)}  ${summary}`,
  );
  return `Answers from your own documents, with sources that can be checked.

${lines.join('\n')}

"citewell <command> --help" says more.

CITEWELL_URL      address of the service, default http://127.0.0.1:3000
CITEWELL_API_KEY  the key to ask with`;
}

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || ['help', '--help', '-h'].includes(name)) {
    print(help());
    return name === undefined ? EXIT_USAGE : 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    note(`citewell: There is no command "${name}": see citewell --help.`);
    return EXIT_USAGE;
  }
  try {
    const { run } = await command.load();
    return await run(args);
  } catch (error) {
    const { sentence, exitCode } = describeError(error);
    note(`citewell ${name}: ${sentence}`);
    return exitCode;
  }
}

stopOnClosedPipe();
if (Number(process.versions.node.split('.')[0]) < MIN_NODE) {
  note(`citewell: It needs Node ${MIN_NODE}: use \`npm run citewell -- <command>\`, which brings it along.`);
  process.exit(EXIT_USAGE);
}
process.exitCode = await main(process.argv.slice(2));
