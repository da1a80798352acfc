import type {
  ChatSettings,
  ChooseChatModel,
  Citewell,
  EmbeddingSettings,
  ModelTest,
  TestModel,
} from '@citewell/sdk';
import { inOneLine } from '../terminal/output.js';

/** What a model of a server does. */
export type ServerKind = TestModel['kind'] | 'pictures';

/** What is done without a chosen model, and the variable that names a fixed one. */
const KINDS = {
  chat: { none: 'none: answers consist of quotes', variable: 'CHAT_MODEL', provider: 'openai' },
  own: { none: 'none: the model of the server answers', variable: 'CHAT_MODEL', provider: 'openai' },
  embedding: { none: 'none', variable: 'EMBEDDING_MODEL', provider: 'openai' },
  rerank: {
    none: 'none: passages keep the order of the search',
    variable: 'RERANK_MODEL',
    provider: 'cohere',
  },
  pictures: { none: 'none: pictures are not described', variable: null, provider: 'openai' },
} as const;

const TITLES: Readonly<Record<string, string>> = { own: 'own chat model', pictures: 'model for pictures' };

/** Parses `<provider>:<model>`, or the provider alone. Other names belong to the first provider. */
export function parseServerModel(
  kind: ServerKind,
  name: string,
  { providers }: Pick<ChatSettings, 'providers'>,
): Pick<ChooseChatModel, 'provider' | 'model'> {
  const isKnown = (provider: string): boolean => providers.some((known) => known.name === provider);
  const [provider = ''] = name.split(':', 1);
  if (isKnown(provider) && name.length > provider.length)
    return { provider, model: name.slice(provider.length + 1) };
  // `tei` and `chat` have no names of models, and `local` has a default one.
  if (kind === 'rerank' && isKnown(name)) return { provider: name, model: '' };
  return { provider: KINDS[kind].provider, model: name };
}

/** The rows of a table about a model of a server. `own`: the chat model of the organization. */
export function serverRows(
  kind: ServerKind | 'own',
  { provider, model, baseUrl, chosenBy, ...settings }: ChatSettings,
): string[][] {
  const { hasKey, keyEnd, problem, providers } = settings;
  const { none, variable } = KINDS[kind];
  const name = provider === null ? none : inOneLine([provider, ...(model ? [model] : [])].join(':'));
  const rows = [[TITLES[kind] ?? `${kind} model`, name]];
  if (chosenBy === 'environment') rows.push(['chosen by', `the variable ${variable}`]);
  const fixedBy = providers.find((known) => known.name === provider)?.fixedBy ?? [];
  if (fixedBy.length > 0) rows.push(['connection', `of the variables ${fixedBy.join(', ')}`]);
  if (baseUrl !== null) rows.push(['address', inOneLine(baseUrl)]);
  if (hasKey) rows.push(['key', keyEnd === null ? 'stored' : `stored, ends with ${keyEnd}`]);
  if (problem !== null) rows.push(['problem', inOneLine(problem)]);
  return rows;
}

/** One line about a test. */
export function describeTest({ message, durationMs, sample, dimensions, scores }: ModelTest): string {
  const written = sample === null ? '' : ` It wrote: ${inOneLine(sample)}`;
  const length = dimensions === undefined ? '' : ` Its vectors have ${dimensions} dimensions.`;
  const scored = scores
    ? ` Scores of a right and a wrong passage: ${scores.map(inTwoDigits).join(', ')}`
    : '';
  return `${inOneLine(message)} (${durationMs} ms)${written}${length}${scored}`;
}

function inTwoDigits(score: number): string {
  return score.toFixed(2);
}

/** The choice of a model of a server. */
interface ModelServer {
  get(): Promise<ChatSettings>;
  test(choice: ChooseChatModel): ReturnType<Citewell['models']['test']>;
  choose(choice: ChooseChatModel): Promise<ChatSettings>;
  remove(): Promise<ChatSettings>;
}

/** The chat model that the organization of the key chooses for itself. */
export function ownChatServer(models: Citewell['models']): ModelServer {
  return {
    get: () => models.ownChat(),
    test: (choice) => models.testOwnChat(choice),
    choose: (choice) => models.chooseOwnChat(choice),
    remove: () => models.removeOwnChat(),
  };
}

/** The models of servers, which are chosen in the same way. */
export function modelServers(models: Citewell['models']): Record<ServerKind, ModelServer> {
  const serverOf = async (settings: Promise<EmbeddingSettings>): Promise<ChatSettings> =>
    (await settings).server;
  return {
    chat: {
      get: () => models.chat(),
      test: (choice) => models.testChat(choice),
      choose: (choice) => models.chooseChat(choice),
      remove: () => models.removeChat(),
    },
    embedding: {
      get: () => serverOf(models.embedding()),
      test: (choice) => models.testEmbeddingServer(choice),
      choose: (choice) => serverOf(models.chooseEmbeddingServer(choice)),
      remove: () => serverOf(models.chooseEmbedding({ name: 'builtin' })),
    },
    pictures: {
      get: () => models.pictures(),
      test: (choice) => models.testPictures(choice),
      choose: (choice) => models.choosePictures(choice),
      remove: () => models.removePictures(),
    },
    rerank: {
      get: () => models.rerank(),
      test: (choice) => models.testRerank(choice),
      choose: (choice) => models.chooseRerank(choice),
      remove: () => models.removeRerank(),
    },
  };
}
