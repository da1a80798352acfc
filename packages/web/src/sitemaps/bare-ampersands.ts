const REFERENCE_LENGTH = 32;
const TO_MEND = /<!\[CDATA\[|\]\]>|&(?!(?:\w{1,31}|#\d{1,7}|#x[\da-f]{1,6});)/gi;
/** What the next piece of text may go on with: a reference, the beginning or the end of a CDATA section. */
const UNFINISHED = /(?:&[^&<;]*|<(?:![^<>]*)?|\]{1,2})$/;

/**
 * Escapes every `&` that begins no reference, as in `<loc>/?a=1&b=2</loc>`, outside of CDATA: it is the commonest
 * mistake in sitemaps, and the parser would take all up to the next semicolon for a name.
 */
export class BareAmpersands {
  /** How many were found. */
  count = 0;
  private held = '';
  private isInCdata = false;

  /** @returns the text so far; the last few characters may wait for the next piece */
  mend(piece: string): string {
    const text = this.held + piece;
    const tail = UNFINISHED.exec(text.slice(-REFERENCE_LENGTH))?.[0] ?? '';
    this.held = tail;
    return this.mendAll(text.slice(0, text.length - tail.length));
  }

  /** @returns what waits for another piece, when there is none */
  end(): string {
    const rest = this.mendAll(this.held);
    this.held = '';
    return rest;
  }

  private mendAll(text: string): string {
    return text.replace(TO_MEND, (found) => {
      if (found !== '&') this.isInCdata = found !== ']]>';
      if (found !== '&' || this.isInCdata) return found;
      this.count += 1;
      return '&amp;';
    });
  }
}
