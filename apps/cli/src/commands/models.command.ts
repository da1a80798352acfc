import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  ChatSettings,
  Citewell,
  EmbeddingOffer,
  EmbeddingSettings,
  RecognitionLanguage,
  RecognitionSettings,
} from '@citewell/sdk';
import { formatBytes } from '@citewell/contracts/errors';
import { defineCommand } from '../define-command.js';
import { connect } from '../connect.js';
import { EXIT_FAILED, UsageError } from '../describe-error.js';
import {
  describeTest,
  modelServers,
  ownChatServer,
  parseServerModel,
  type ServerKind,
  serverRows,
} from '../models/server-choice.js';
import { inOneLine, print, printToStderr, showProgress, toColumns } from '../terminal/output.js';
import { readSecret } from '../terminal/read-secret.js';

const USAGE =
  'citewell models [list | use <model> | set <kind> <provider>:<model> | unset <kind> | test [<kind>] | languages |\n       add-language <name> | remove-language <name>] [--own]';
const HELP = `Shows, changes and tests the models of the server, without a restart. It needs a key of the first organization with
the scope admin, except with --own.

"use" chooses the embedding model. <model> is one of:

  built-in         the model that is part of Citewell; undoes an earlier choice
  local            a neural model on the server for about 100 languages; also "multilingual"
  english          a smaller one for English
  <directory>      a directory of the server with the files of a model in ONNX format
  <URL>            a folder of a web server with such files, such as your own mirror
  <owner>/<name>   a model of the hub

The server downloads the model and embeds the documents in the background. Meanwhile it answers with the earlier vectors.
The command waits until all documents are embedded or have failed. It can be interrupted: the server continues.

"set" chooses a model of a server, if a test of it succeeds. <kind> is one of:

  chat             such as anthropic:claude-sonnet-4-5, ollama:llama3.1, or openai:qwen2.5:7b with --url http://127.0.0.1:8080/v1
  embedding        such as openai:text-embedding-3-small or ollama:bge-m3; documents are embedded as after "use"
  rerank           such as cohere:rerank-v3.5, tei with --url http://127.0.0.1:8080, chat for the chat model, or local for a
                   model on the server; it is downloaded after this command, without a test
  pictures         such as openai:gpt-4o-mini or ollama:llava; describes new pictures, which are sent to it. Off by default

Without --key, a stored key stays if provider and address stay. "unset" undoes the choice.

"languages" lists the languages of text recognition (OCR). "add-language" installs one from npm, such as deu, and waits for it.
"remove-language" removes it. Synchronize documents that lack the language afterwards.

With --own, "list", "set chat" and "unset chat" are about a chat model of your organization alone, if the operator allows
it (ORGANIZATION_MODELS). Any key with the scope admin may choose it.

  --own            the chat model of your organization
  --url <address>  of the model's server; default: the stored one of the same provider, or with "" that of the provider
  --key            read the key of the model's server from the standard input
  --no-test        set the model without a test
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
      own: { type: 'boolean' },
      json: { type: 'boolean' },
    },
    positionals: { maximum: 3 },
  },
  async (options, [action = 'list', model, name]) => {
    const { 'no-wait': isNotWaiting = false, json: isJson = false } = options;
    const show = (settings: EmbeddingSettings): void =>
      print(isJson ? JSON.stringify(settings) : describe(settings));
    const { own: isOwn = false } = options;
    const showServer = (kind: ServerKind, settings: ChatSettings): void =>
      print(isJson ? JSON.stringify(settings) : toColumns(serverRows(isOwn ? 'own' : kind, settings)));
    const { models } = connect();
    const servers = isOwn ? { ...modelServers(models), chat: ownChatServer(models) } : modelServers(models);
    if (isOwn) requireOwnKind(action, model);
    if (name !== undefined && action !== 'set')
      throw new UsageError(`Unexpected argument: ${name}.\nUsage: ${USAGE}`);
    switch (action) {
      case 'list': {
        if (isOwn) {
          showServer('chat', await servers.chat.get());
          return 0;
        }
        const [embedding, chat, rerank, pictures] = await Promise.all([
          models.embedding(),
          models.chat(),
          models.rerank(),
          models.pictures(),
        ]);
        if (isJson) print(JSON.stringify({ ...embedding, chat, rerank, pictures }));
        else
          print(
            [
              toColumns(serverRows('chat', chat)),
              describe(embedding),
              toColumns(serverRows('rerank', rerank)),
              toColumns(serverRows('pictures', pictures)),
            ].join('\n\n'),
          );
        return 0;
      }
      case 'set': {
        const kind = kindOf(model);
        const server = servers[kind];
        if (name === undefined) throw new UsageError(`<provider>:<model> is missing.\nUsage: ${USAGE}`);
        const stored = await server.get();
        const chosen = parseServerModel(kind, name, stored);
        const storedUrl = chosen.provider === stored.provider ? stored.baseUrl : null;
        const choice = {
          ...chosen,
          baseUrl: options.url ?? storedUrl,
          ...(options.key ? { apiKey: await readSecret('key') } : {}),
        };
        if (!options['no-test'] && chosen.provider !== 'local') {
          const tested = await server.test(choice);
          printToStderr(describeTest(tested));
          if (!tested.ok) return EXIT_FAILED;
        }
        showServer(kind, await server.choose({ ...choice, test: false }));
        return 0;
      }
      case 'unset': {
        const kind = kindOf(model);
        showServer(kind, await servers[kind].remove());
        return 0;
      }
      case 'test': {
        const kind = kindOf(model ?? 'chat');
        if (kind === 'pictures')
          throw new UsageError('A model for pictures is tested when it is set: "set pictures".');
        const tested = await models.test({ kind });
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
      case 'languages':
      case 'add-language':
      case 'remove-language': {
        const settings = await changeLanguages(models, action, model, { isNotWaiting });
        print(isJson ? JSON.stringify(settings) : toColumns(settings.languages.map(languageRow)));
        return settings.languages.find((one) => one.name === model)?.state === 'failed' ? EXIT_FAILED : 0;
      }
      default:
        throw new UsageError(
          `Unknown action "${action}". Use list, use, set, unset, test, languages, add-language or remove-language.`,
        );
    }
  },
);

async function changeLanguages(
  models: Citewell['models'],
  action: 'languages' | 'add-language' | 'remove-language',
  name: string | undefined,
  { isNotWaiting }: { isNotWaiting: boolean },
): Promise<RecognitionSettings> {
  if (action === 'languages') return models.recognition();
  if (name === undefined) throw new UsageError(`<name> is missing.\nUsage: ${USAGE}`);
  if (action === 'remove-language') return models.removeLanguage(name);
  let settings = await models.addLanguage(name);
  while (!isNotWaiting && settings.languages.find((one) => one.name === name)?.state === 'installing') {
    showProgress(`installing ${name}`);
    await sleep(PAUSE_MS);
    settings = await models.recognition();
  }
  showProgress('');
  return settings;
}

function languageRow({ name, state, message, downloadBytes }: RecognitionLanguage): string[] {
  const cost = downloadBytes === null ? '' : `a download of ${formatBytes(downloadBytes)}`;
  return [
    inOneLine(name),
    state,
    message === null ? (state === 'available' ? cost : '') : inOneLine(message),
  ];
}

/** @throws UsageError unless an organization has the setting of the action */
function requireOwnKind(action: string, kind: string | undefined): void {
  if (action === 'list' || (['set', 'unset'].includes(action) && kind === 'chat')) return;
  throw new UsageError('--own belongs to "list", "set chat" and "unset chat".');
}

function kindOf(name: string | undefined): ServerKind {
  if (name === 'chat' || name === 'embedding' || name === 'rerank' || name === 'pictures') return name;
  if (name === undefined) throw new UsageError(`<kind> is missing.\nUsage: ${USAGE}`);
  throw new UsageError(`Unknown kind of models "${name}". Use chat, embedding, rerank or pictures.`);
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
  if (settings.server.provider !== null)
    rows.push(...serverRows('embedding', { ...settings.server, problem: null }).slice(1));
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
