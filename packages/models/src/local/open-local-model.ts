import type { Fetch } from '@citewell/web/remote-fetch';
import type { EmbeddingModel, RerankModel } from '../model.port.js';
import { countCall, type OnModelCall } from '../model-call.js';
import { downloadModel, isDownloaded } from './download-model.js';
import { installRuntime, isRuntimeInstalled } from './install-runtime.js';
import { ModelProcess } from './model-process.js';
import { type ModelSource, parseModelSource } from './model-source.js';
import type { OnProgress } from './on-progress.js';

/** Small, for about a hundred languages. */
const DEFAULT_EMBEDDING_MODEL = 'Xenova/multilingual-e5-small';
/** Small, for English. */
const DEFAULT_RERANK_MODEL = 'Xenova/ms-marco-MiniLM-L-6-v2';

export interface LocalModelOptions {
  /** `local`, `local:<hub id>`, `local:<directory>` or `local:<URL>`; see `parseModelSource`. */
  name: string;
  /** Directory for the packages that run models, and for downloaded models. Created if missing. */
  directory: string;
  /** Address of a mirror of the hub. Default: Hugging Face. */
  hub?: string | undefined;
  /** Downloads the model of a URL. Default: connects to any address. */
  fetcher?: Fetch | undefined;
  /** Receives the steps of an installation or a download. */
  onProgress: OnProgress;
  /** Receives every request, for metrics. */
  onCall?: OnModelCall | undefined;
  /** Ends an installation or a download. */
  signal?: AbortSignal | undefined;
}

/** An embedding model with a process of its own. */
export interface LocalEmbeddingModel extends EmbeddingModel {
  /** Ends the process. A later request starts it again. */
  close(): Promise<void>;
}

/**
 * Checks the name of a local model.
 *
 * @returns its URL, or null if it has none
 * @throws ModelError if it is malformed, or names a directory that does not exist
 */
export function urlOfLocalModel(name: string): string | null {
  const source = parseModelSource(name, DEFAULT_EMBEDDING_MODEL);
  return source.kind === 'url' ? source.url : null;
}

/** A rerank model with a process of its own. */
export interface LocalRerankModel extends RerankModel {
  /** Ends the process. A later request starts it again. */
  close(): Promise<void>;
}

const DEFAULT_MODELS = { embedding: DEFAULT_EMBEDDING_MODEL, rerank: DEFAULT_RERANK_MODEL };

/** Whether a local model can be opened without network. @param kind which model `local` stands for */
export async function isLocalModelStored(
  name: string,
  directory: string,
  kind: keyof typeof DEFAULT_MODELS = 'embedding',
): Promise<boolean> {
  const source = parseModelSource(name, DEFAULT_MODELS[kind]);
  const isStored = source.kind === 'directory' || isDownloaded({ source, directory });
  return isStored && (await isRuntimeInstalled(directory));
}

/**
 * Opens an embedding model in ONNX format that runs on this machine. The first call installs ONNX Runtime and downloads
 * the model. Later calls need no network.
 *
 * @throws ModelError: `permanent` if an installation or a download fails, or if the model cannot be loaded;
 *   `transient` if loading takes more than two minutes, or if the process of the model ends
 */
export async function openLocalEmbeddingModel(options: LocalModelOptions): Promise<LocalEmbeddingModel> {
  const model = await openModelProcess(options, DEFAULT_EMBEDDING_MODEL);
  const embed = async (
    texts: readonly string[],
    { signal, kind }: { signal: AbortSignal; kind: 'document' | 'query' },
  ): Promise<Float32Array[]> => {
    if (texts.length === 0) return [];
    const counting = { onCall: options.onCall, signal };
    // Documents repeat themselves: a notice on each page is embedded once.
    const distinct = [...new Set(texts)];
    const send = () => model.request({ embed: distinct, kind }, signal);
    const result = await countCall('embedding', counting, send, ({ tokens }) => tokens);
    const vectors = 'vectors' in result ? result.vectors : [];
    if (distinct.length === texts.length) return vectors;
    const vectorOf = new Map(distinct.map((text, at) => [text, vectors[at]]));
    return texts.flatMap((text) => vectorOf.get(text) ?? []);
  };
  const { fingerprint, maxTokens } = await model.load();
  const [vector] = await embed(['dimensions'], { signal: new AbortController().signal, kind: 'query' });
  const dimensions = vector?.length ?? 0;
  return {
    fingerprint,
    dimensions,
    account: 'local',
    isNeural: true,
    maxInputTokens: maxTokens,
    embed,
    close: () => model.close(),
  };
}

/**
 * Opens a cross-encoder in ONNX format that runs on this machine, as `openLocalEmbeddingModel` does.
 *
 * @throws ModelError: `permanent` if an installation or a download fails, or if the model cannot be loaded;
 *   `transient` if loading takes more than two minutes, or if the process of the model ends
 */
export async function openLocalRerankModel(options: LocalModelOptions): Promise<LocalRerankModel> {
  const model = await openModelProcess(options, DEFAULT_RERANK_MODEL);
  await model.load();
  return {
    async rerank(question, texts, { signal }) {
      if (texts.length === 0) return [];
      const counting = { onCall: options.onCall, signal };
      const send = () => model.request({ score: texts, question }, signal);
      const result = await countCall('rerank', counting, send, ({ tokens }) => tokens);
      return 'scores' in result ? result.scores : [];
    },
    close: () => model.close(),
  };
}

async function openModelProcess(
  { name, directory, hub, fetcher, onProgress, signal }: LocalModelOptions,
  defaultId: string,
): Promise<ModelProcess> {
  const source = parseModelSource(name, defaultId);
  const files =
    source.kind === 'directory'
      ? source.path
      : await downloadModel({ source, directory, hub, fetcher, onProgress, signal });
  const runtime = await installRuntime(directory, onProgress, signal);
  onProgress({ step: 'loading', text: `Loading ${nameOf(source)}` });
  return new ModelProcess({ runtime, directory: files, name: nameOf(source) });
}

/** Part of the fingerprint, and the name by which families of models are known. */
function nameOf(source: ModelSource): string {
  switch (source.kind) {
    case 'hub':
      return source.id;
    case 'url':
      return new URL(source.url).pathname.split('/').filter(Boolean).slice(-2).join('/');
    case 'directory':
      return source.name;
  }
}
