import { availableParallelism, cpus } from 'node:os';
import type { Encoded } from './batch-scheduler.js';
import type { ModelFiles, Pooling } from './model-files.js';
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

/**
 * Makes one vector of length 1 per text from the vectors of its tokens.
 *
 * @param tokenVectors of texts × tokens × dimensions
 * @param lengths tokens of each text. Texts are padded at the end
 */
export function poolVectors(
  tokenVectors: Float32Array,
  [, tokens, dimensions]: readonly [texts: number, tokens: number, dimensions: number],
  lengths: readonly number[],
  pooling: Pooling,
): Float32Array[] {
  return lengths.map((length, text) => {
    const vectorOf = (token: number): Float32Array => {
      const from = (text * tokens + token) * dimensions;
      return tokenVectors.subarray(from, from + dimensions);
    };
    if (pooling === 'first') return normalized(vectorOf(0));
    if (pooling === 'last') return normalized(vectorOf(length - 1));
    const sum = new Float32Array(dimensions);
    for (let token = 0; token < length; token += 1) {
      const vector = vectorOf(token);
      for (let at = 0; at < dimensions; at += 1) sum[at]! += vector[at]!;
    }
    // The mean has the direction of the sum.
    return normalized(sum);
  });
}

/** A vector of length 1 with the same direction. The zero vector stays. */
function normalized(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1;
  return vector.map((value) => value / length);
}

/**
 * Probability that a text answers a question, from the output of a cross-encoder: one logit, or one each for "no" and "yes".
 */
export function toProbability(logits: Float32Array): number {
  const [first = 0, second] = logits;
  return 1 / (1 + Math.exp(second === undefined ? -first : first - second));
}
