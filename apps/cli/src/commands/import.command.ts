import { stat } from 'node:fs/promises';
import { connect } from '../connect.js';
import { defineCommand } from '../define-command.js';
import { EXIT_FAILED, UsageError } from '../describe-error.js';
import { fromAnythingllmFolder } from '../import/anythingllm.js';
import { fromCitewellExport } from '../import/citewell-export.js';
import { fromDify } from '../import/dify.js';
import type { Found } from '../import/found-document.js';
import { importAll, type ImportOutcome } from '../import/import-all.js';
import { fromOpenWebui, fromOpenWebuiFolder } from '../import/open-webui.js';
import { OtherService } from '../import/other-service.js';
import { exitOnSignals } from '../import/temporary-folder.js';
import { inOneLine, print, printToStderr } from '../terminal/output.js';
import { readSecret } from '../terminal/read-secret.js';

const USAGE = 'citewell import --from <product> <folder | URL>';
const HELP = `Brings documents of another product with names, collections and dates. Each collection becomes a datastore.

  --from open-webui   its data directory (with webui.db), or its address and an API key
  --from anythingllm  its storage directory (with anythingllm.db). AnythingLLM keeps texts, and mostly no originals
  --from dify         the address of its API, such as https://example.org/v1, and a key of the knowledge API
  --from citewell     a folder that "citewell export" has written
  --json              one JSON object per line

The API key of the other product is read from IMPORT_API_KEY, or from standard input.
Prints for each document whether it was added, came only as text, was there already, was left out or failed, with the
reason. A second import brings only what is missing. Documents are indexed in the background: see "citewell ls".
The exit code is 1 if something failed.`;

const PRODUCTS = ['open-webui', 'anythingllm', 'dify', 'citewell'] as const;

export const run = defineCommand(
  {
    usage: USAGE,
    help: HELP,
    options: { from: { type: 'string' }, json: { type: 'boolean' } },
    positionals: { required: '<folder | URL>', maximum: 1 },
  },
  async ({ from, json = false }, [place = '']) => {
    exitOnSignals();
    const documents = await open(from, place);
    const counts = new Map<ImportOutcome['outcome'], number>();
    await importAll(connect(), documents, (outcome) => {
      counts.set(outcome.outcome, (counts.get(outcome.outcome) ?? 0) + 1);
      if (json) print(JSON.stringify(outcome));
      else tell(outcome);
    });
    const parts = [...counts].map(([word, count]) => `${count} ${word}`);
    printToStderr(parts.length === 0 ? 'Nothing was found.' : `${parts.join(', ')}.`);
    return counts.has('failed') ? EXIT_FAILED : 0;
  },
);

async function open(from: string | undefined, place: string): Promise<AsyncIterable<Found>> {
  const product = PRODUCTS.find((name) => name === from);
  if (product === undefined) throw new UsageError(`--from must be one of: ${PRODUCTS.join(', ')}.`);
  if (/^https?:\/\//i.test(place)) {
    if (product !== 'open-webui' && product !== 'dify')
      throw new UsageError(`Documents of ${product} are imported from a folder: its API has no texts.`);
    const key = process.env['IMPORT_API_KEY'] || (await readSecret(`API key of ${product}`));
    const service = new OtherService(place, key);
    return product === 'dify' ? fromDify(service) : fromOpenWebui(service);
  }
  if (product === 'dify')
    throw new UsageError(
      'Documents of Dify are imported from its address: names and collections are in its database.',
    );
  const stats = await stat(place).catch(() => null);
  if (!stats?.isDirectory()) throw new UsageError(`${place} is not a folder.`);
  if (product === 'open-webui') return fromOpenWebuiFolder(place);
  return product === 'anythingllm' ? fromAnythingllmFolder(place) : fromCitewellExport(place);
}

function tell({ outcome, library, name, reason }: ImportOutcome): void {
  const shown = inOneLine(library === '' ? name : `${library}: ${name}`);
  const line = `${outcome}  ${shown}${reason === undefined ? '' : ` (${reason})`}`;
  if (outcome === 'failed' || outcome === 'left out') printToStderr(line);
  else print(line);
}
