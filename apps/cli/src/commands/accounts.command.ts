import { type Config, loadConfig } from '@citewell/config';
import { AccountRepository, describeKey, generateKey, PasswordResetRepository } from '@citewell/database';
import { defineCommand } from '../define-command.js';
import { type Output, standardOutput } from '../terminal/output.js';
import { UsageError } from '../describe-error.js';
import { withDatabase } from '../with-database.js';

const LIFETIME_MS = 60 * 60_000;

const HELP = `Prints a link with which somebody chooses a new password of an account. It works once, within an hour, and ends all sessions of
the account. Use this command when the server sends no e-mail, and no owner can create a link because the account is in several
organizations. If several accounts have the e-mail, it prints a link for each, with its organizations. Make sure that the person
who asks is the one. Run it on the server, with the server's configuration.`;

export const run = defineCommand(
  {
    usage: 'citewell accounts reset <e-mail>',
    help: HELP,
    options: {},
    positionals: { required: 'reset <e-mail>', maximum: 2 },
  },
  async (
    _options,
    [action, email = ''],
    { config = loadConfig(), output = standardOutput }: { config?: Config; output?: Output } = {},
  ) => {
    if (action !== 'reset') throw new UsageError('The only action is "reset".');
    await withDatabase(
      config,
      { command: 'accounts', ifMissing: 'refuse', poolSize: 1 },
      async (dataSource) => {
        const repository = new AccountRepository(dataSource);
        const accounts = await repository.allWithEmail(email.trim().toLowerCase());
        if (accounts.length === 0) throw new UsageError(`There is no account with the e-mail ${email}.`);
        const address = config.PUBLIC_URL ?? `http://127.0.0.1:${config.PORT}${config.BASE_PATH}`;
        for (const { id } of accounts) {
          const token = generateKey();
          const link = { hash: describeKey(token).hash, expiresAt: new Date(Date.now() + LIFETIME_MS) };
          await new PasswordResetRepository(dataSource).create(id, link);
          const names = (await repository.memberships(id)).map(({ organizationName }) => organizationName);
          output.write(`${address}/#reset=${token}${accounts.length > 1 ? `  # ${names.join(', ')}` : ''}\n`);
        }
      },
    );
    return 0;
  },
);
