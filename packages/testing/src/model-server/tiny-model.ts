// Writes models of a few kilobytes in the format of the hub. Each word has a vector or a score; a text has their sum.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];

/** @param words the vector of each known word, or its score as a vector of length 1 */
export async function writeTinyModel(
  directory: string,
  task: 'embed' | 'score',
  words: Readonly<Record<string, readonly number[]>>,
  files: Readonly<Record<string, object>> = {},
): Promise<void> {
  const width = Object.values(words)[0]?.length ?? 0;
  const vocabulary = [...SPECIAL, ...Object.keys(words)];
  const table = vocabulary.flatMap((word) => words[word] ?? Array<number>(width).fill(0));
  await mkdir(join(directory, 'onnx'), { recursive: true });
  const contents: Record<string, object> = {
    'config.json': { max_position_embeddings: 16 },
    'tokenizer_config.json': { model_max_length: 1e30 },
    'tokenizer.json': tokenizerOf(vocabulary),
    ...files,
  };
  for (const [file, content] of Object.entries(contents)) {
    await mkdir(join(directory, file, '..'), { recursive: true });
    await writeFile(join(directory, file), JSON.stringify(content));
  }
  await writeFile(join(directory, 'onnx/model.onnx'), onnxModel(task, table, width));
}

function tokenizerOf(vocabulary: readonly string[]): object {
  const token = (id: string, type: number): object => ({ SpecialToken: { id, type_id: type } });
  const text = (id: string, type: number): object => ({ Sequence: { id, type_id: type } });
  const single = [token('[CLS]', 0), text('A', 0), token('[SEP]', 0)];
  return {
    added_tokens: SPECIAL.map((content, id) => ({ id, content, special: true, normalized: false })),
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: {
      type: 'TemplateProcessing',
      single,
      pair: [...single, text('B', 1), token('[SEP]', 1)],
      special_tokens: Object.fromEntries(
        SPECIAL.map((name, id) => [name, { id: name, ids: [id], tokens: [name] }]),
      ),
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])),
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
    },
  };
}

/** The numbers are the fields of `onnx.proto`, version 8 of the format and 17 of the operators. */
function onnxModel(task: 'embed' | 'score', table: readonly number[], width: number): Buffer {
  const int = (name: string): Buffer => value(name, 7, ['texts', 'tokens']);
  const node = (type: string, inputs: string[], output: string, attribute: Buffer[] = []): Buffer =>
    message(1, [...inputs.map((input) => bytes(1, input)), bytes(2, output), bytes(4, type), ...attribute]);
  const gather = node('Gather', ['table', 'input_ids'], task === 'embed' ? 'last_hidden_state' : 'scores');
  const sum = node('ReduceSum', ['scores', 'axes'], 'logits', [
    message(5, [bytes(1, 'keepdims'), number(3, 0), number(20, 2)]),
  ]);
  const graph = message(7, [
    gather,
    ...(task === 'embed' ? [] : [sum]),
    bytes(2, 'tiny'),
    tensor('table', 1, [table.length / width, width], Buffer.from(Float32Array.from(table).buffer)),
    ...(task === 'embed' ? [] : [tensor('axes', 7, [1], Buffer.from(BigInt64Array.of(1n).buffer))]),
    message(11, [int('input_ids')]),
    message(11, [int('attention_mask')]),
    message(12, [
      task === 'embed'
        ? value('last_hidden_state', 1, ['texts', 'tokens', 'width'])
        : value('logits', 1, ['texts', 'labels']),
    ]),
  ]);
  return Buffer.concat([number(1, 8), graph, message(8, [number(2, 17)])]);
}

function value(name: string, type: number, dims: readonly string[]): Buffer {
  const shape = message(
    2,
    dims.map((dim) => message(1, [bytes(2, dim)])),
  );
  return Buffer.concat([bytes(1, name), message(2, [message(1, [number(1, type), shape])])]);
}

function tensor(name: string, type: number, dims: readonly number[], data: Buffer): Buffer {
  return message(5, [...dims.map((dim) => number(1, dim)), number(2, type), bytes(8, name), bytes(9, data)]);
}

// Protocol buffers: https://protobuf.dev/programming-guides/encoding/
function message(field: number, parts: readonly Buffer[]): Buffer {
  return bytes(field, Buffer.concat(parts));
}

function bytes(field: number, content: Buffer | string): Buffer {
  const data = Buffer.from(content as string);
  return Buffer.concat([varint(field * 8 + 2), varint(data.length), data]);
}

function number(field: number, content: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(content)]);
}

function varint(content: number): Buffer {
  const low = content % 128;
  return content < 128
    ? Buffer.of(low)
    : Buffer.concat([Buffer.of(low + 128), varint((content - low) / 128)]);
}
