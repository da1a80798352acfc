import { StringDecoder } from 'node:string_decoder';

/**
 * The JSON of a `DatasourceText`, in pieces. A long text is then neither held in memory nor escaped at once, which
 * would block the event loop.
 *
 * @param text UTF-16LE, in chunks of any size
 */
export async function* textJson(
  { revision, length }: { readonly revision: number; readonly length: number },
  text: AsyncIterable<Buffer>,
): AsyncGenerator<string> {
  yield `{"revision":${revision},"length":${length},"text":"`;
  const decoder = new StringDecoder('utf16le');
  for await (const chunk of text) yield escaped(decoder.write(chunk));
  yield `${escaped(decoder.end())}"}`;
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
