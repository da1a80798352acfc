import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddingOffer, EmbeddingSettings } from '@citewell/sdk';
import { formatBytes } from '@citewell/contracts/errors';
import { defineCommand } from '../define-command.js';
import { connect } from '../connect.js';
import { EXIT_FAILED } from '../describe-error.js';
import { print, printToStderr, showProgress } from '../terminal/output.js';
import { inOneLine, toColumns } from '../terminal/printable.js';
import { UsageError } from '../usage-error.js';

const USAGE = 'citewell models [list | use <model>]';
const HELP = `Shows and changes the embedding model of the server, without a restart. It needs a key of the first organization with
the scope admin. <model> is one of:

  built-in         the model that is part of Citewell; undoes an earlier choice
  local            a neural model on the server for about 100 languages; also "multilingual"
  english          a smaller one for English
  <directory>      a directory of the server with the files of a model in ONNX format
  <URL>            a folder of a web server with such files, such as your own mirror
  <owner>/<name>   a model of the hub

The server downloads the model and embeds the documents in the background. Meanwhile it answers with the earlier vectors.
The command waits until all documents are embedded. It can be interrupted: the server continues.

  --no-wait  do not wait
  --json     one JSON object`;

const PAUSE_MS = 1_000;

export const run = defineCommand(
  {
    usage: USAGE,
    help: HELP,
    options: { 'no-wait': { type: 'boolean' }, json: { type: 'boolean' } },
    positionals: { maximum: 2 },
  },
  async ({ 'no-wait': isNotWaiting = false, json: isJson = false }, [action = 'list', model]) => {
    const show = (settings: EmbeddingSettings): void =>
      print(isJson ? JSON.stringify(settings) : describe(settings));
    const { models } = connect();
    switch (action) {
      case 'list':
        show(await models.embedding());
        return 0;
      case 'use': {
        if (model === undefined) throw new UsageError(`<model> is missing.\nUsage: ${USAGE}`);
        const { offers } = await models.embedding();
        const name = nameOf(model, offers);
        const offer = offers.find((offered) => offered.name === name);
        if (offer) printToStderr(`${name}: ${costOf(offer)}.`);
        let settings = await models.chooseEmbedding({ name });
        while (!isNotWaiting && settings.preparation?.step !== 'failed' && !isComplete(settings)) {
          showProgress(stateOf(settings));
          await sleep(PAUSE_MS);
          settings = await models.embedding();
        }
        showProgress('');
        show(settings);
        return settings.preparation?.step === 'failed' ? EXIT_FAILED : 0;
      }
      default:
        throw new UsageError(`Unknown action "${action}". Use list or use.`);
    }
  },
);

/** The name of a model in the API. */
export function nameOf(model: string, offers: readonly EmbeddingOffer[]): string {
  if (['built-in', 'builtin'].includes(model)) return 'builtin';
  if (model.startsWith('local:')) return model;
  const languages = model === 'local' ? 'multilingual' : model;
  const offer = offers.find((offered) => offered.languages === languages);
  if (offer) return offer.name;
  return `local:${/^[./]/.test(model) ? resolve(model) : model}`;
}

function isComplete({ preparation, documents }: EmbeddingSettings): boolean {
  return preparation === null && documents.done >= documents.total;
}

function describe(settings: EmbeddingSettings): string {
  const { name, chosenBy, offers } = settings;
  const rows = [
    ['embedding model', inOneLine(name)],
    ['chosen by', chosenBy === 'environment' ? 'the variable EMBEDDING_MODEL' : `the ${chosenBy}`],
    ['state', inOneLine(stateOf(settings))],
  ];
  if (chosenBy !== 'environment')
    for (const offer of offers) rows.push([`offered, ${offer.languages}`, `${offer.name}: ${costOf(offer)}`]);
  return toColumns(rows);
}

function stateOf({ preparation, documents, secondsLeft }: EmbeddingSettings): string {
  if (preparation) {
    const { step, done, message } = preparation;
    const part = done === null ? '' : `, ${Math.floor(done * 100)} % of the current file`;
    return step === 'failed' ? `failed: ${message}` : `${step}${part}`;
  }
  const { done, total } = documents;
  const rest = secondsLeft === null ? '' : `, about ${durationOf(secondsLeft)} left`;
  return done >= total ? `ready, ${total} documents` : `embedding, ${done} of ${total} documents${rest}`;
}

function costOf({ downloadBytes, seconds }: EmbeddingOffer): string {
  const download = downloadBytes === 0 ? 'no download' : `a download of ${formatBytes(downloadBytes)}`;
  return `${download}, about ${durationOf(seconds)} to embed what is stored`;
}

function durationOf(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 1 ? 'a minute' : `${minutes} minutes`;
}
