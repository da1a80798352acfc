import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatSettings, EmbeddingOffer, EmbeddingSettings, TestModel } from '@citewell/sdk';
import { formatBytes } from '@citewell/contracts/errors';
import { defineCommand } from '../define-command.js';
import { connect } from '../connect.js';
import { EXIT_FAILED } from '../describe-error.js';
import { chatRows, describeTest, parseChatName, readKey } from '../models/chat-choice.js';
import { print, printToStderr, showProgress } from '../terminal/output.js';
import { inOneLine, toColumns } from '../terminal/printable.js';
import { UsageError } from '../usage-error.js';

const USAGE =
  'citewell models [list | use <model> | set chat <provider>:<model> | unset chat | test [chat | embedding | rerank]]';
const HELP = `Shows, changes and tests the models of the server, without a restart. It needs a key of the first organization with
the scope admin.

"use" chooses the embedding model. <model> is one of:

  built-in         the model that is part of Citewell; undoes an earlier choice
  local            a neural model on the server for about 100 languages; also "multilingual"
  english          a smaller one for English
  <directory>      a directory of the server with the files of a model in ONNX format
  <URL>            a folder of a web server with such files, such as your own mirror
  <owner>/<name>   a model of the hub

The server downloads the model and embeds the documents in the background. Meanwhile it answers with the earlier vectors.
The command waits until all documents are embedded or have failed. It can be interrupted: the server continues.

"set chat" chooses the chat model, if a test of it succeeds. Examples: anthropic:claude-sonnet-4-5, ollama:llama3.1, or
openai:qwen2.5:7b with --url http://127.0.0.1:8080/v1. Without --key, a stored key stays if provider and address stay.

  --url <address>  of the model's server; default: the stored one of the same provider, or with "" that of the provider
  --key            read the key of the chat model from the standard input
  --no-test        set the chat model without a test
  --no-wait        do not wait
  --json           one JSON object`;

const PAUSE_MS = 1_000;

export const run = defineCommand(
  {
    usage: USAGE,
    help: HELP,
    options: {
      'no-wait': { type: 'boolean' },
      'no-test': { type: 'boolean' },
      url: { type: 'string' },
      key: { type: 'boolean' },
      json: { type: 'boolean' },
    },
    positionals: { maximum: 3 },
  },
  async (options, [action = 'list', model, name]) => {
    const { 'no-wait': isNotWaiting = false, json: isJson = false } = options;
    const show = (settings: EmbeddingSettings): void =>
      print(isJson ? JSON.stringify(settings) : describe(settings));
    const showChat = (settings: ChatSettings): void =>
      print(isJson ? JSON.stringify(settings) : toColumns(chatRows(settings)));
    const { models } = connect();
    if (name !== undefined && action !== 'set')
      throw new UsageError(`Unexpected argument: ${name}.\nUsage: ${USAGE}`);
    switch (action) {
      case 'list': {
        const [embedding, chat] = await Promise.all([models.embedding(), models.chat()]);
        if (isJson) print(JSON.stringify({ ...embedding, chat }));
        else print(`${toColumns(chatRows(chat))}\n\n${describe(embedding)}`);
        return 0;
      }
      case 'set': {
        assertChat(model);
        if (name === undefined) throw new UsageError(`<provider>:<model> is missing.\nUsage: ${USAGE}`);
        const stored = await models.chat();
        const chosen = parseChatName(name, stored);
        const storedUrl = chosen.provider === stored.provider ? stored.baseUrl : null;
        const choice = {
          ...chosen,
          baseUrl: options.url ?? storedUrl,
          ...(options.key ? { apiKey: await readKey() } : {}),
        };
        if (!options['no-test']) {
          const tested = await models.testChat(choice);
          printToStderr(describeTest(tested));
          if (!tested.ok) return EXIT_FAILED;
        }
        showChat(await models.chooseChat(choice));
        return 0;
      }
      case 'unset':
        assertChat(model);
        showChat(await models.removeChat());
        return 0;
      case 'test': {
        const tested = await models.test({ kind: kindOf(model ?? 'chat') });
        print(isJson ? JSON.stringify(tested) : describeTest(tested));
        return tested.ok ? 0 : EXIT_FAILED;
      }
      case 'use': {
        if (model === undefined) throw new UsageError(`<model> is missing.\nUsage: ${USAGE}`);
        const { offers } = await models.embedding();
        const name = nameOf(model, offers);
        const offer = offers.find((offered) => offered.name === name);
        if (offer) printToStderr(`${name}: ${costOf(offer)}.`);
        let settings = await models.chooseEmbedding({ name });
        while (!isNotWaiting && settings.preparation?.step !== 'failed' && !isComplete(settings, name)) {
          showProgress(stateOf(settings));
          await sleep(PAUSE_MS);
          settings = await models.embedding();
        }
        showProgress('');
        show(settings);
        return settings.preparation?.step === 'failed' || settings.documents.failed > 0 ? EXIT_FAILED : 0;
      }
      default:
        throw new UsageError(`Unknown action "${action}". Use list, use, set, unset or test.`);
    }
  },
);

function assertChat(kind: string | undefined): void {
  if (kind !== 'chat') throw new UsageError(`Only the chat model can be set.\nUsage: ${USAGE}`);
}

function kindOf(name: string): TestModel['kind'] {
  if (name === 'chat' || name === 'embedding' || name === 'rerank') return name;
  throw new UsageError(`Unknown kind of models "${name}". Use chat, embedding or rerank.`);
}

/** The name of a model in the API. */
export function nameOf(model: string, offers: readonly EmbeddingOffer[]): string {
  if (['built-in', 'builtin'].includes(model)) return 'builtin';
  if (model.startsWith('local:')) return model;
  const languages = model === 'local' ? 'multilingual' : model;
  const offer = offers.find((offered) => offered.languages === languages);
  if (offer) return offer.name;
  return `local:${/^[./]/.test(model) ? resolve(model) : model}`;
}

/** @param chosen the name of the model; a process of the server may not know yet that it was chosen */
function isComplete({ name, preparation, documents }: EmbeddingSettings, chosen: string): boolean {
  return name === chosen && preparation === null && isEmbedded(documents);
}

function isEmbedded({ done, failed, total }: EmbeddingSettings['documents']): boolean {
  return done + failed >= total;
}

function describe(settings: EmbeddingSettings): string {
  const { name, chosenBy, offers } = settings;
  const rows = [
    ['embedding model', inOneLine(name)],
    ['chosen by', chosenBy === 'environment' ? 'the variable EMBEDDING_MODEL' : `the ${chosenBy}`],
    ['state', inOneLine(stateOf(settings))],
  ];
  if (settings.problem !== null) rows.push(['problem', inOneLine(settings.problem)]);
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
  const { done, failed, total } = documents;
  const rest = secondsLeft === null ? '' : `, about ${durationOf(secondsLeft)} left`;
  if (!isEmbedded(documents)) return `embedding, ${done} of ${total} documents${rest}`;
  if (failed === 0) return `ready, ${total} documents`;
  return (
    `ready, ${done} of ${total} documents. ${failed} could not be embedded, are found as before, and are tried again ` +
    'after an hour. "citewell ls datasources" says why'
  );
}

function costOf({ downloadBytes, seconds }: EmbeddingOffer): string {
  const download = downloadBytes === 0 ? 'no download' : `a download of ${formatBytes(downloadBytes)}`;
  return `${download}, about ${durationOf(seconds)} to embed what is stored`;
}

function durationOf(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 1 ? 'a minute' : `${minutes} minutes`;
}
