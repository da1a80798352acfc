import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The used part of `onnxruntime-node`, which is not installed with the product. */
export interface OnnxRuntime {
  InferenceSession: { create(weights: Uint8Array, options: object): Promise<OnnxSession> };
  Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown;
}

export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(inputs: Record<string, unknown>): Promise<Record<string, OnnxOutput>>;
}

export interface OnnxOutput {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/** The used part of `@huggingface/tokenizers`. */
export interface TokenizersPackage {
  Tokenizer: new (tokenizer: object, config: object) => Tokenizer;
}

export interface Tokenizer {
  encode(
    text: string,
    options: { text_pair?: string; return_token_type_ids: true },
  ): { ids: number[]; token_type_ids: number[] };
}

/** Loads the packages from the directory of `installRuntime`. */
export function loadRuntime(directory: string): OnnxRuntime & TokenizersPackage {
  const require = createRequire(join(directory, 'package.json'));
  const onnx = require('onnxruntime-node') as OnnxRuntime;
  const tokenizers = require('@huggingface/tokenizers') as TokenizersPackage;
  return { ...onnx, ...tokenizers };
}
