/** Changes text while it streams. `push` may hold back the end of the text, and `flush` returns it. */
export interface TextFilter {
  push(text: string): string;
  flush(): string;
}

/**
 * Normalises the text of an answer as it arrives, in pieces that can be sent. The pieces give the whole text, which is
 * also available as `text`.
 *
 * - CR and CRLF become LF. U+0000 is dropped, because the database cannot store it. Leading newlines are
 *   dropped. The filter receives the result.
 * - No piece begins with a newline, because a widely used client drops leading newlines. The last character
 *   that is not a newline is therefore buffered, with the newlines after it, until more text or the end
 *   arrives.
 * - No piece ends inside a surrogate pair. A lone surrogate becomes U+FFFD.
 */
export class AnswerText {
  private buffered = '';
  private endsInCarriageReturn = false;
  private sent = '';

  constructor(private readonly filter: TextFilter) {}

  /** The text of all pieces so far. */
  get text(): string {
    return this.sent;
  }

  /** Adds text of the answer. Returns the piece that can be sent now; may be empty. */
  push(text: string): string {
    return this.add(this.filter.push(this.normalise(text)));
  }

  /** Ends the answer and returns the last piece; may be empty. */
  flush(): string {
    const piece = this.add(this.filter.flush());
    const rest = this.buffered;
    this.buffered = '';
    return piece + this.release(rest);
  }

  private add(text: string): string {
    const added = this.sent === '' && this.buffered === '' ? text.replace(/^\n+/, '') : text;
    if (lastNonNewline(added) < 0) {
      this.buffered += added;
      return '';
    }
    const all = this.buffered + added;
    const last = lastNonNewline(all);
    const end = isHighSurrogate(all, last - 1) && /[\uDC00-\uDFFF]/.test(all[last] ?? '') ? last - 1 : last;
    this.buffered = all.slice(end);
    return this.release(all.slice(0, end));
  }

  private release(text: string): string {
    const wellFormed = text.toWellFormed();
    this.sent += wellFormed;
    return wellFormed;
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

/** The index of the last code unit that is not a newline; -1 when there is none. */
function lastNonNewline(text: string): number {
  let at = text.length - 1;
  while (text[at] === '\n') at -= 1;
  return at;
}

/** Whether the code unit at this index is the first half of a surrogate pair. */
export function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff;
}
