import { availableParallelism, cpus } from 'node:os';
import type { Encoded } from './batch-scheduler.js';
import type { ModelFiles } from './model-files.js';
import { normalized, poolVectors, toProbability } from './pool-vectors.js';
import type {
  OnnxOutput,
  OnnxRuntime,
  OnnxSession,
  Tokenizer,
  TokenizersPackage,
} from './runtime-packages.js';

/** ONNX Runtime starts a thread for each core of the host, also in a container that may use fewer. */
export function threadsOf(allowed: number, cores: number): { intraOpNumThreads?: number } {
  return allowed < cores ? { intraOpNumThreads: allowed } : {};
}

/** A loaded model with its tokenizer. */
export class OnnxModel {
  private constructor(
    private readonly files: Omit<ModelFiles, 'weights'>,
    private readonly session: OnnxSession,
    private readonly tokenizer: Tokenizer,
    private readonly Tensor: OnnxRuntime['Tensor'],
  ) {}

  static async load({ weights, ...files }: ModelFiles, runtime: OnnxRuntime & TokenizersPackage) {
    const session = await runtime.InferenceSession.create(weights, {
      // The arena keeps the memory of the largest batch.
      enableCpuMemArena: false,
      // By default, idle threads spin for work. That doubles the CPU time of small batches, and on a busy machine it takes
      // the cores from the threads that have work.
      extra: { session: { intra_op: { allow_spinning: '0' } } },
      ...threadsOf(availableParallelism(), cpus().length),
    });
    const tokenizer = new runtime.Tokenizer(files.tokenizer, files.tokenizerConfig);
    return new OnnxModel(files, session, tokenizer, runtime.Tensor);
  }

  /** Converts a text, or a pair of texts, to the ids of its tokens. Cuts what the model cannot read. */
  encode(text: string, pair?: string): Encoded {
    const { ids, token_type_ids: typeIds } = this.tokenizer.encode(text, {
      ...(pair === undefined ? {} : { text_pair: pair }),
      return_token_type_ids: true,
    });
    return { ids: this.truncate(ids), typeIds: this.truncate(typeIds) };
  }

  /** @returns one vector of length 1 per input */
  async embed(inputs: readonly Encoded[]): Promise<Float32Array[]> {
    const { data, dims } = await this.run(inputs);
    const [texts = 0, second = 0, third] = dims;
    // Some models pool by themselves.
    if (third === undefined)
      return inputs.map((_, at) => normalized(data.subarray(at * second, (at + 1) * second)));
    const lengths = inputs.map(({ ids }) => ids.length);
    return poolVectors(data, [texts, second, third], lengths, this.files.pooling);
  }

  /** @returns one probability per pair that the second text answers the first */
  async score(pairs: readonly Encoded[]): Promise<number[]> {
    const { data, dims } = await this.run(pairs);
    const labels = dims[1] ?? 1;
    return pairs.map((_, at) => toProbability(data.subarray(at * labels, (at + 1) * labels)));
  }

  private truncate(ids: readonly number[]): readonly number[] {
    const { maxTokens } = this.files;
    // The last token marks the end.
    return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), ids.at(-1)!];
  }

  private async run(inputs: readonly Encoded[]): Promise<OnnxOutput> {
    const width = Math.max(...inputs.map(({ ids }) => ids.length));
    const tensor = (values: (input: Encoded) => readonly number[]): unknown => {
      const data = new BigInt64Array(inputs.length * width);
      for (const [row, input] of inputs.entries())
        for (const [column, value] of values(input).entries()) data[row * width + column] = BigInt(value);
      return new this.Tensor('int64', data, [inputs.length, width]);
    };
    const feeds: Record<string, unknown> = {
      input_ids: tensor(({ ids }) => ids),
      attention_mask: tensor(({ ids }) => ids.map(() => 1)),
    };
    if (this.session.inputNames.includes('token_type_ids'))
      feeds['token_type_ids'] = tensor(({ typeIds }) => typeIds);
    const outputs = await this.session.run(feeds);
    const output = outputs['sentence_embedding'] ?? outputs[this.session.outputNames[0] ?? ''];
    if (!output) throw new Error('The model has no output.');
    return output;
  }
}
