import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { EmbeddingModel } from '../embedding-model.port.js';
import { countCall } from '../count-call.js';
import type { OnModelCall } from '../model-call.js';
import { ModelError } from '../model.error.js';
import type { RerankModel } from '../rerank-model.port.js';
import { downloadModel } from './download-model.js';
import { installRuntime } from './install-runtime.js';
import { ModelProcess } from './model-process.js';
import type { OnProgress } from './on-progress.js';

/** Small, for about a hundred languages. */
const DEFAULT_EMBEDDING_MODEL = 'Xenova/multilingual-e5-small';
/** Small, for English. */
const DEFAULT_RERANK_MODEL = 'Xenova/ms-marco-MiniLM-L-6-v2';

export interface LocalModelOptions {
  /** `local`, `local:<hub id>` or `local:<directory>`. A name that starts with `.` or `/` is a directory. */
  name: string;
  /** Directory for the packages that run models, and for downloaded models. Created if missing. */
  directory: string;
  /** Address of a mirror of the hub. Default: Hugging Face. */
  hub?: string | undefined;
  /** Receives the steps of an installation or a download. */
  onProgress: OnProgress;
  /** Receives every request, for metrics. */
  onCall?: OnModelCall | undefined;
}

/** Whether a configured name is that of a local model. */
export function isLocalModel(name: string): boolean {
  return name === 'local' || name.startsWith('local:');
}

/**
 * Opens an embedding model in ONNX format that runs on this machine. The first call installs ONNX Runtime and downloads
 * the model. Later calls need no network.
 *
 * @throws ModelError (`permanent`) if an installation or a download fails, or if the model cannot be loaded
 */
export async function openLocalEmbeddingModel(options: LocalModelOptions): Promise<EmbeddingModel> {
  const model = await openModelProcess(options, DEFAULT_EMBEDDING_MODEL);
  const embed = async (
    texts: readonly string[],
    { signal, kind }: { signal: AbortSignal; kind: 'document' | 'query' },
  ): Promise<Float32Array[]> => {
    if (texts.length === 0) return [];
    const counting = { onCall: options.onCall, signal };
    const send = () => model.request({ embed: texts, kind }, signal);
    const result = await countCall('embedding', counting, send, ({ tokens }) => tokens);
    return 'vectors' in result ? result.vectors : [];
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
  };
}

/**
 * Opens a cross-encoder in ONNX format that runs on this machine, as `openLocalEmbeddingModel` does.
 *
 * @throws ModelError (`permanent`) if an installation or a download fails, or if the model cannot be loaded
 */
export async function openLocalRerankModel(options: LocalModelOptions): Promise<RerankModel> {
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
  };
}

async function openModelProcess(
  { name, directory, hub, onProgress }: LocalModelOptions,
  defaultId: string,
): Promise<ModelProcess> {
  const id = name === 'local' ? defaultId : name.slice('local:'.length);
  const isDirectory = /^[./]|^[A-Za-z]:\\/.test(id);
  const model = isDirectory ? existingDirectory(id) : await downloadModel({ id, directory, hub, onProgress });
  const runtime = await installRuntime(directory, onProgress);
  return new ModelProcess({ runtime, directory: model, name: id });
}

function existingDirectory(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return resolve(path);
  throw new ModelError('permanent', `The directory ${path} of the local model does not exist.`);
}
