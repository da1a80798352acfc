import { CitewellError } from '../citewell-error.js';

/** Maximum number of characters of one event. The server sends at most 100,000. */
const MAX_EVENT_LENGTH = 8_388_608;

/** A server-sent event. `event` is undefined if the event has no `event:` line. */
export interface ServerEvent {
  event: string | undefined;
  data: string;
}

/**
 * Reads server-sent events (HTML Living Standard, section 9.2) from chunks of bytes. An incomplete event at
 * the end of the stream is dropped, as the standard requires. A library would be a fifth of the size of the SDK.
 *
 * @throws {@link CitewellError} `INVALID_RESPONSE` if an event is longer than 8 Mi characters
 */
export async function* readEvents(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerEvent, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  let endsWithCr = false;
  let event: string | undefined;
  let data: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    if (text === '') continue;
    // A CRLF may be split between two chunks.
    const lines = (rest + (endsWithCr ? text.replace(/^\n/, '') : text)).split(/\r\n|\n|\r/);
    endsWithCr = text.endsWith('\r');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield { event, data: data.join('\n') };
        event = undefined;
        data = [];
        length = 0;
        continue;
      }
      const [, field, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      if (field === 'data') data.push(value);
      else if (field === 'event') event = value || undefined;
      length += line.length;
    }
    if (length + rest.length > MAX_EVENT_LENGTH)
      throw new CitewellError(
        'INVALID_RESPONSE',
        'The server sent an event that exceeds the maximum length.',
      );
  }
}
