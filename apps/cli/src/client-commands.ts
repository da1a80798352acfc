import type { Commands } from './run-cli.js';

/** The commands that need only an address and an API key. */
export const CLIENT_COMMANDS: Commands = {
  add: {
    summary: 'add files, folders and pages to a datastore',
    load: () => import('./commands/add.command.js'),
  },
  ask: {
    summary: 'ask a question and print the cited sources',
    load: () => import('./commands/ask.command.js'),
  },
  chat: { summary: 'talk with an agent', load: () => import('./commands/chat.command.js') },
  connect: {
    summary: 'connect a datastore to a mailbox, a storage or another source',
    load: () => import('./commands/connect.command.js'),
  },
  eval: {
    summary: 'measure how well questions of your own are answered',
    load: () => import('./commands/eval.command.js'),
  },
  export: {
    summary: 'write all documents to a folder: originals, texts and metadata',
    load: () => import('./commands/export.command.js'),
  },
  import: {
    summary: 'bring documents of Open WebUI, AnythingLLM, Dify or an export',
    load: () => import('./commands/import.command.js'),
  },
  keys: {
    summary: 'list, create and revoke API keys',
    load: () => import('./commands/keys.command.js'),
  },
  ls: { summary: 'list datasources, datastores and agents', load: () => import('./commands/ls.command.js') },
  mcp: {
    summary: 'connect a program that speaks MCP',
    load: () => import('./commands/mcp.command.js'),
  },
  models: {
    summary: 'show and choose the embedding model of the server',
    load: () => import('./commands/models.command.js'),
  },
  rm: {
    summary: 'delete datasources, datastores and agents',
    load: () => import('./commands/rm.command.js'),
  },
  status: {
    summary: 'show the state of datasources and the usage',
    load: () => import('./commands/status.command.js'),
  },
  sync: {
    summary: 'make a datastore as a folder of this machine is',
    load: () => import('./commands/sync.command.js'),
  },
};
