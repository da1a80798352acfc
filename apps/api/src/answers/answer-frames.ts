// A frame is one server-sent event.

/**
 * Maximum text of an `endpoint_response` frame in UTF-16 code units. Some clients read lines into small
 * buffers.
 */
const RESPONSE_FRAME_LENGTH = 16_384;

/** The bracket of data that a client, after trimming it, would read as the end of the stream. */
const RESERVED = /^\s*\[(?=DONE\]\s*$|ERROR\])/;

export const PING_FRAME = ': ping\n\n';
export const DONE_FRAME = 'data: [DONE]\n\n';

/** The frame of an error after the stream has opened. The message is reduced to one line. */
export function errorFrame(code: string, message: string): string {
  return `data: [ERROR] ${code}: ${message.replace(/\s+/g, ' ')}\n\n`;
}

/** The whole response as frames. Joining their data gives its JSON. */
export function responseFrames(response: unknown): string {
  const json = JSON.stringify(response);
  let frames = '';
  for (let start = 0; start < json.length;) {
    let end = Math.min(start + RESPONSE_FRAME_LENGTH, json.length);
    if (isHighSurrogate(json, end - 1)) end -= 1;
    frames += eventFrames('endpoint_response', json.slice(start, end));
    start = end;
  }
  return frames;
}

/** Changes text while it streams. `push` may hold back the end of the text, and `flush` returns it. */
export interface TextFilter {
  push(text: string): string;
  flush(): string;
}

/**
 * Frames the text of an answer as it arrives. Joining the data of all frames gives the whole text, which is
 * also available as `text`.
 *
 * - CR and CRLF become LF. U+0000 is dropped, because the database cannot store it. Leading newlines are
 *   dropped. The filter receives the result.
 * - No frame begins with a newline, because a widely used client drops leading newlines. The last character
 *   that is not a newline is therefore buffered, with the newlines after it, until more text or the end
 *   arrives.
 * - No frame ends inside a surrogate pair. A lone surrogate becomes U+FFFD.
 * - No frame's data equals `[DONE]` or begins with `[ERROR]`. Such text is split after its bracket.
 */
export class AnswerFramer {
  private buffered = '';
  private endsInCarriageReturn = false;
  private framed = '';

  constructor(private readonly filter: TextFilter) {}

  /** The text of all frames so far. */
  get text(): string {
    return this.framed;
  }

  /** Adds a piece of the answer. Returns the frames that can be sent now; may be empty. */
  push(piece: string): string {
    return this.add(this.filter.push(this.normalise(piece)));
  }

  /** Ends the answer and returns the last frames. */
  flush(): string {
    const frames = this.add(this.filter.flush());
    const rest = this.buffered;
    this.buffered = '';
    return frames + this.frame(rest);
  }

  private add(text: string): string {
    this.buffered += text;
    if (this.framed === '') this.buffered = this.buffered.replace(/^\n+/, '');
    const end = lastNonNewline(this.buffered);
    const ready = this.buffered.slice(0, end);
    this.buffered = this.buffered.slice(end);
    return this.frame(ready);
  }

  private frame(text: string): string {
    if (text === '') return '';
    const wellFormed = text.toWellFormed();
    this.framed += wellFormed;
    return eventFrames('answer', wellFormed);
  }

  /**
   * A CR at the end of a piece may be half of a CRLF. It becomes an LF now, and an LF that follows is
   * dropped.
   */
  private normalise(piece: string): string {
    if (piece === '') return '';
    const text = this.endsInCarriageReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    this.endsInCarriageReturn = piece.endsWith('\r');
    return text.replace(/\r\n?/g, '\n').replaceAll('\0', '');
  }
}

/** The index of the last code point that is not a newline; 0 when there is none. */
function lastNonNewline(text: string): number {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\n') end -= 1;
  if (end === 0) return 0;
  const isPair = isHighSurrogate(text, end - 2) && /[\uDC00-\uDFFF]/.test(text[end - 1] ?? '');
  return end - (isPair ? 2 : 1);
}

function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** One frame, or two when the data would be read as the end of the stream. */
function eventFrames(event: string, data: string): string {
  const reserved = RESERVED.exec(data);
  if (!reserved) return eventFrame(event, data);
  const [bracket] = reserved;
  return eventFrame(event, bracket) + eventFrame(event, data.slice(bracket.length));
}

/** Server-sent events, HTML Living Standard section 9.2: one `data` line per line of the data. */
function eventFrame(event: string, data: string): string {
  return `event: ${event}\n${data
    .split('\n')
    .map((line) => `data: ${line}\n`)
    .join('')}\n`;
}
