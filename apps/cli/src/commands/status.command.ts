import type { Citewell, Datasource } from '@citewell/sdk';
import { EXIT_FAILED, withAdvice } from '../describe-error.js';
import { defineCommand } from '../define-command.js';
import { connect } from '../connect.js';
import { datasourcesOf, requireByIdOrName } from '../named-collection.js';
import { inOneLine, print, styleStatus, toColumns } from '../terminal/output.js';

const USAGE = 'citewell status [<datasource id or name>...]';
const HELP = `Without an argument: prints the usage of the organization in this month. Otherwise: prints the state of each
datasource.

  --json  one JSON object per line

The exit code is 1 if any of the datasources failed.`;

const NUMBER = new Intl.NumberFormat('en');

export const run = defineCommand(
  {
    usage: USAGE,
    help: HELP,
    options: { json: { type: 'boolean' } },
    positionals: { maximum: Number.POSITIVE_INFINITY },
  },
  async ({ json: isJson = false }, idsOrNames) => {
    const client = connect();
    if (idsOrNames.length === 0) {
      await printUsage(client, isJson);
      return 0;
    }
    let exitCode = 0;
    for (const idOrName of idsOrNames) {
      const datasource = await requireByIdOrName(datasourcesOf(client), idOrName);
      print(isJson ? JSON.stringify(datasource) : describe(datasource));
      if (datasource.status === 'error' || datasource.status === 'usage_limit_reached')
        exitCode = EXIT_FAILED;
    }
    return exitCode;
  },
);

async function printUsage(client: Citewell, isJson: boolean): Promise<void> {
  const usage = await client.usage.get();
  if (isJson) return print(JSON.stringify(usage));
  const amount = ({ used, limit }: { used: number; limit: number | null }): string =>
    limit === null ? NUMBER.format(used) : `${NUMBER.format(used)} of ${NUMBER.format(limit)}`;
  print(
    toColumns([
      ['month', usage.month],
      ['agent queries', amount(usage.agentQueries)],
      ['stored characters', amount(usage.storedCharacters)],
    ]),
  );
}

function describe({ id, name, status, progress, error, stats, revision }: Datasource): string {
  const lines = [`${id}  ${styleStatus(status)}  ${inOneLine(name)}`];
  if (progress) {
    const { stage, done, total, percent, etaSeconds } = progress;
    const count = total > 0 ? `, ${done} of ${total}` : '';
    const rest = etaSeconds === null ? '' : `, about ${etaSeconds} s left`;
    lines.push(`${stage}: ${Math.round(percent)} %${count}${rest}`);
  }
  if (error) lines.push(withAdvice(`${error.code}: ${inOneLine(error.message)}`, error.code, id));
  if (revision > 0) {
    const { pages, chunks, characters } = stats;
    // Only formats with pages have a page count.
    const inPages = pages > 0 ? `${NUMBER.format(pages)} pages, ` : '';
    lines.push(
      `revision ${revision}: ${inPages}${NUMBER.format(characters)} characters, ${NUMBER.format(chunks)} chunks`,
    );
  }
  return lines.join('\n  ');
}
