/** A line, without its end, that opens a fence. Deeper indentation depends on the lists around it. */
const FENCE_OPENING = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/;

/** The start of such a line. */
const FENCE_OPENING_START = /^ {0,3}(?:`{0,2}|~{0,2}|`{3,}[^`]*|~{3}.*)$/;

const FENCE_CLOSING = /^[ \t]*(`+|~+)[ \t]*$/;

/** Longest line of code, link target or address, in UTF-16 code units. Longer ones are text. */
const MAX_HELD = 2_048;

const PLAIN = /^[^`~\\([\]<&:!\nhfw]+/i;
const ESCAPE = /^\\[!-/:-@[-`{-~]/;
/** An escape after which some readers find an address: `https\://` (mdast-util-gfm-autolink-literal). */
const ESCAPE_IN_SCHEME = /^(?:[a-z:/]\\[:/]|w\\\.)/i;
/** A character reference (CommonMark 0.31, section 2.5), or the start of one. It can stand for any character. */
const REFERENCE = /^&#?[a-z0-9]{1,32};/i;
const REFERENCE_START = /^&#?[a-z0-9]{0,32}$/i;
const HARMLESS_REFERENCE = /^&(?:amp|lt|gt|quot|apos|nbsp);$/;
const RUN = /^(?:`+|~+)/;
/** The part of an address that is separated from the rest. */
const SCHEME = /^(?:(?:https?|ftp):\/\/|www(?=\.))/i;
const SCHEMES = ['https://', 'http://', 'ftp://', 'www.'];
const MAX_SCHEME = 8;
const URL_CHARACTERS = /^[^\s<>"`|\\[\]]+/;
/** Other characters after an address would be read as part of it. */
const AFTER_ADDRESS = /^[ \t\n.,;:!?)*_~'"\]]/;
const TARGET = /^\((?:[^()\n]|\([^()\n]*\))*\)/;
const TARGET_START = /^\((?:[^()\n]|\([^()\n]*\))*(?:\([^()\n]*)?$/;
/** The address of a link target, which may have a title. */
const URL_OF_TARGET = /^\(<?(https?:\/\/(?:[^\s<>()`|\\]|\([^\s<>()`|\\]*\))+)>?(?:\s.*)?\)$/i;
const AUTOLINK = /^<(https?:\/\/[^\s<>`|\\]*)>/i;
const AUTOLINK_START = /^<https?:\/\/[^\s<>`|\\]*$/i;
/** A fence has at least as many backticks or tildes. */
const MIN_FENCE = 3;
/** What can stand before the text of a line: indentation, quote marks, and the numbers or bullets of lists. */
const LINE_PREFIX = /^[ \t>*+\-\d.)]*$/;
/** Other white space, such as no-break spaces, does not make a line blank. */
const BLANK = /^[ \t\n]*$/;

/**
 * Makes a Markdown answer safe to show while it streams. The output has no image, no HTML, and no links except to
 * {@link AllowedLinks}. Everything else stays as text: a space separates the characters that would make a link
 * (`[a] (b)`), the definition of one (`[a] : b`), an image (`! [a]`), HTML (`< b>`), an address (`https:// b`) or a
 * character reference (`& colon;`). Carriage returns are removed.
 *
 * Code is not changed: fences, and code in backticks within one line (CommonMark 0.31, sections 4.5 and 6.1). Text
 * that is code or not, depending on other lines or on the list around it, is treated as text.
 *
 * The concatenated output of `push` and `flush` does not depend on how the input is split. At most one line of code,
 * one link target or one address is buffered, up to 2,048 characters.
 */
export class LinkStreamFilter {
  private pending = '';
  private ended = false;
  private output = '';
  private last = '\n';
  private fence: Fence | null = null;
  /** False from the first fence whose end is unclear. */
  private trustsCode = true;
  /** False from a backtick without its counterpart to the next blank line. */
  private trustsBackticks = true;
  private isBlankLine = true;
  /** The line has only characters of LINE_PREFIX so far. */
  private isLinePrefix = true;
  /** Where the first bracket of the line is that is not escaped. */
  private firstBracket: 'none' | 'at start' | 'in text' = 'none';
  /** There is no white space after the last address. */
  private isInAddress = false;

  constructor(private readonly links: AllowedLinks) {}

  /** Processes the next piece of the answer and returns the text that can be shown, possibly empty. */
  push(text: string): string {
    this.pending += text.replaceAll('\r', '');
    while (this.pending !== '' && this.step());
    return this.drain();
  }

  /** Ends the answer and returns the rest of its text. */
  flush(): string {
    this.ended = true;
    return this.push('');
  }

  /** The start of `pending` that a token may occupy. Longer tokens are text. */
  private get window(): string {
    return this.pending.slice(0, MAX_HELD + 1);
  }

  /** The start of `pending` may be an unfinished token, so more text is necessary. */
  private get canWait(): boolean {
    return !this.ended && this.pending.length <= MAX_HELD;
  }

  /** Processes the next token. @returns false if more text is necessary */
  private step(): boolean {
    const line = this.fence || this.last === '\n' ? this.nextLine() : null;
    if (this.fence) return this.stepInFence(this.fence, line);
    if (this.last === '\n' && this.trustsCode) {
      if (line === null && this.canWait && mayOpenFence(this.window)) return false;
      this.fence = line === null ? null : openFence(line.trimEnd());
      if (line !== null && this.fence) return this.take(line.length, 'code');
    }
    return this.stepInText();
  }

  private stepInFence(fence: Fence, line: string | null): boolean {
    if (line === null && this.canWait) return false;
    const meaning = line === null ? 'unclear' : continueFence(fence, line.replace(/\n$/, ''));
    if (meaning !== 'code') this.fence = null;
    if (line !== null && meaning !== 'unclear') return this.take(line.length, 'code');
    this.trustsCode = false;
    return true;
  }

  private stepInText(): boolean {
    const { window: pending } = this;
    const next = pending.charAt(0);
    if (next === '\\') return this.stepOverEscape();
    if (next === '&') return this.stepOverReference();
    if (this.isInAddress && (next === '`' || next === '<')) return this.separate();
    if (next === '`' || next === '~') return this.stepOverRun();
    if (next === '(' && this.last === ']') return this.stepOverTarget();
    if (next === '<') return this.stepOverAutolink();
    const [scheme] = SCHEME.exec(pending) ?? [];
    if (scheme !== undefined) return this.stepOverUrl(scheme);
    if (this.canWait && isStartOfScheme(pending)) return false;
    // After an address, each character is judged.
    return this.take(this.isInAddress ? 1 : (PLAIN.exec(pending)?.[0].length ?? 1));
  }

  private stepOverEscape(): boolean {
    const { window: pending } = this;
    if (pending === '\\' && this.canWait) return false;
    if (ESCAPE_IN_SCHEME.test(this.last + pending)) this.separate();
    return this.take(ESCAPE.test(pending) ? 2 : 1);
  }

  private stepOverReference(): boolean {
    const { window: pending } = this;
    if (this.canWait && REFERENCE_START.test(pending)) return false;
    const [reference] = REFERENCE.exec(pending) ?? [];
    if (reference === undefined || HARMLESS_REFERENCE.test(reference))
      return this.take(reference?.length ?? 1);
    this.take(1);
    return this.separate();
  }

  private stepOverRun(): boolean {
    const { window: pending } = this;
    const [run = ''] = RUN.exec(pending) ?? [];
    if (run === pending && this.canWait) return false;
    // A fence in a list or quote, or one with deeper indentation.
    if (run.length >= MIN_FENCE && this.isLinePrefix) this.trustsCode = false;
    if (run.startsWith('~') || !this.trustsCode || !this.trustsBackticks) return this.take(run.length);
    const [line = ''] = /^.*/.exec(pending) ?? [];
    const end = endOfInlineCode(line, run);
    if (this.canWait && line === pending && (end < 0 || end === line.length)) return false;
    // A pipe would end the code in a table.
    if (end > 0 && end <= MAX_HELD && !line.slice(0, end).includes('|')) return this.take(end, 'code');
    this.trustsBackticks = false;
    return this.take(run.length);
  }

  private stepOverTarget(): boolean {
    const { window: pending } = this;
    const [target] = TARGET.exec(pending) ?? [];
    if (target === undefined && this.canWait && TARGET_START.test(pending)) return false;
    const [, url] = URL_OF_TARGET.exec(target ?? '') ?? [];
    if (target === undefined || target.length > MAX_HELD || url === undefined || !this.links.has(url))
      return this.separate();
    this.pending = this.pending.slice(target.length);
    this.write(`(${url})`, 'code');
    return (this.isInAddress = true);
  }

  private stepOverAutolink(): boolean {
    const { window: pending } = this;
    const [link, url = ''] = AUTOLINK.exec(pending) ?? [];
    const isStart = isStartOfScheme(pending.slice(1)) || AUTOLINK_START.test(pending);
    if (link === undefined && this.canWait && isStart) return false;
    if (link !== undefined && link.length <= MAX_HELD && this.links.has(url))
      return this.take(link.length, 'code');
    return this.take(1);
  }

  private stepOverUrl(scheme: string): boolean {
    const { window: pending } = this;
    const [url = ''] = URL_CHARACTERS.exec(pending) ?? [];
    if (url === pending && this.canWait) return false;
    const allowed = url.length > MAX_HELD ? null : this.links.prefixOf(url);
    if (allowed !== null) {
      this.take(allowed.length);
      return (this.isInAddress = true);
    }
    this.take(scheme.length);
    return url === scheme || this.separate();
  }

  /** The next line with its line feed, or the rest of the answer; null while it is incomplete or if it is too long. */
  private nextLine(): string | null {
    const { window: pending } = this;
    const end = pending.indexOf('\n') + 1;
    const line = end === 0 && this.ended ? pending : pending.slice(0, end);
    return line === '' || line.length > MAX_HELD ? null : line;
  }

  /** Moves the next characters to the output. */
  private take(length: number, kind: 'text' | 'code' = 'text'): true {
    const text = this.pending.slice(0, length);
    this.pending = this.pending.slice(length);
    return this.write(text, kind);
  }

  private separate(): true {
    return this.write(' ', 'text');
  }

  private write(text: string, kind: 'text' | 'code'): true {
    if (kind === 'text' && this.wouldJoin(text)) {
      this.output += ' ';
      this.isInAddress = false;
    }
    this.output += text;
    this.isInAddress &&= !/[ \t\n]/.test(text);
    this.last = text.slice(-1);
    if (text === '[' && this.firstBracket === 'none')
      this.firstBracket = this.isLinePrefix ? 'at start' : 'in text';
    this.isBlankLine &&= BLANK.test(text);
    this.isLinePrefix &&= LINE_PREFIX.test(text);
    if (this.last === '\n') this.endLine();
    return true;
  }

  private endLine(): void {
    // Code in backticks ends with its paragraph at the latest.
    this.trustsBackticks ||= this.isBlankLine;
    this.isBlankLine = true;
    this.isLinePrefix = true;
    this.firstBracket = 'none';
  }

  /** Whether the text would continue an address, or complete HTML, an image, or the definition of a link target. */
  private wouldJoin(text: string): boolean {
    if (this.isInAddress && (!AFTER_ADDRESS.test(text) || text + this.last === ']]')) return true;
    switch (this.last) {
      case '<':
        return /^[a-z/!?]/i.test(text);
      case '!':
        return text.startsWith('[');
      case ']':
        return text.startsWith(':') && this.firstBracket !== 'in text';
      default:
        return false;
    }
  }

  private drain(): string {
    const text = this.output;
    this.output = '';
    return text;
  }
}

/** Whether more text may make it an address. */
function isStartOfScheme(text: string): boolean {
  return text.length <= MAX_SCHEME && SCHEMES.some((scheme) => scheme.startsWith(text.toLowerCase()));
}

/** The end of code that begins with a run of backticks: after the next run of the same length. -1 without one. */
function endOfInlineCode(line: string, run: string): number {
  for (const { 0: other, index } of line.matchAll(/`+/g))
    if (index > 0 && other.length === run.length) return index + other.length;
  return -1;
}

/** A fenced code block (CommonMark 0.31, section 4.5). */
interface Fence {
  readonly char: string;
  readonly length: number;
  readonly indent: number;
}

function mayOpenFence(startOfLine: string): boolean {
  return FENCE_OPENING_START.test(startOfLine);
}

/** @param line without its end */
function openFence(line: string): Fence | null {
  const [, indent = '', run = ''] = FENCE_OPENING.exec(line) ?? [];
  return run === '' ? null : { char: run.charAt(0), length: run.length, indent: indent.length };
}

/**
 * What a line is to the fence before it. `unclear`: less indentation than the opening ends the fence in a list, but
 * not elsewhere, and so does a closing line with other indentation.
 *
 * @param line without its end
 */
function continueFence(fence: Fence, line: string): 'code' | 'closing' | 'unclear' {
  const indent = /^[ \t]*/.exec(line)?.[0].replaceAll('\t', '    ').length ?? 0;
  const [, run = ''] = FENCE_CLOSING.exec(line) ?? [];
  if (run.startsWith(fence.char) && run.length >= fence.length)
    return indent === fence.indent ? 'closing' : 'unclear';
  return indent < fence.indent && /[^ \t]/.test(line) ? 'unclear' : 'code';
}

/** Web addresses in a text, with the punctuation that may follow them. */
const URL_IN_TEXT = /(?:https?:\/\/|www\.)[^\s<>"`|\\]+/gi;
/** Punctuation that may belong to the sentence around an address, and not to the address. */
const TRAILING_PUNCTUATION = /[.,;:!?'*_~()[\]]$/;
const MAX_TRAILING_PUNCTUATION = 8;
/** A character reference, which a Markdown reader replaces in an address. */
const LINK_REFERENCE = /&#?[a-z0-9]+;/i;

/** The web addresses that an answer may link to. */
export class AllowedLinks {
  private readonly keys = new Set<string>();

  /** @param texts passages, and the addresses of their documents */
  constructor(texts: Iterable<string>) {
    for (const text of texts)
      for (const [url] of text.matchAll(URL_IN_TEXT))
        for (const candidate of withoutPunctuation(url)) this.keys.add(keyOf(candidate));
  }

  /**
   * Whether one of the texts contains the address. The fragment and a final slash do not count. False for an address
   * with a character reference.
   */
  has(url: string): boolean {
    return !LINK_REFERENCE.test(url) && this.keys.has(keyOf(url));
  }

  /** The longest start of `text` that is an allowed address: `text` or `text` without punctuation at its end. */
  prefixOf(text: string): string | null {
    return withoutPunctuation(text).find((candidate) => this.has(candidate)) ?? null;
  }
}

/** The text, and the text without up to eight punctuation marks at its end. */
function withoutPunctuation(text: string): string[] {
  const candidates = [text];
  let rest = text;
  while (candidates.length <= MAX_TRAILING_PUNCTUATION && TRAILING_PUNCTUATION.test(rest))
    candidates.push((rest = rest.slice(0, -1)));
  return candidates;
}

/** Equal for addresses of the same document, with http or https. */
function keyOf(address: string): string {
  const url = URL.parse(/^www\./i.test(address) ? `https://${address}` : address);
  if (!url || !/^https?:$/.test(url.protocol)) return address;
  const { username, password, host, pathname, search } = url;
  return `${username}:${password}@${host}${pathname.replace(/\/$/, '')}${search}`;
}
