#!/usr/bin/env node
// All commands, for the repository and the image. The npm package starts with `client.ts`.
import { CLIENT_COMMANDS } from './client-commands.js';
import { runCli } from './run-cli.js';

await runCli({
  ...CLIENT_COMMANDS,
  accounts: {
    summary: 'print a link that sets a new password (run it on the server)',
    load: () => import('./commands/accounts.command.js'),
  },
  backup: {
    summary: 'write all data to a file (run it on the server)',
    load: () => import('./commands/backup.command.js'),
  },
  doctor: {
    summary: 'check the database and the stores (run it on the server)',
    load: () => import('./commands/doctor.command.js'),
  },
  keys: {
    summary: 'list, create and revoke API keys',
    load: () => import('./commands/server-keys.command.js'),
  },
  migrate: {
    summary: 'migrate the database schema (run it on the server)',
    load: () => import('./commands/migrate.command.js'),
  },
  rebalance: {
    summary: 'spread the replicas of vectors over the nodes of a Qdrant cluster',
    load: () => import('./commands/rebalance.command.js'),
  },
  restore: {
    summary: 'read all data from the file of a backup (run it on the server)',
    load: () => import('./commands/restore.command.js'),
  },
});
