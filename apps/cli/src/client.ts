#!/usr/bin/env node
// The npm package: the commands that need no part of the server.
import { CLIENT_COMMANDS } from './client-commands.js';
import { runCli } from './run-cli.js';

await runCli(CLIENT_COMMANDS);
