import iconv from 'iconv-lite';
import type { DocumentBuilder } from '../document/document-builder.js';
import { DocumentError } from '../document/document-error.js';
import type { DocumentParser } from '../document-parser.js';
import {
  CHARACTERS,
  DESTINATIONS,
  OPTIONAL_DESTINATIONS,
  type RtfToken,
  rtfTokens,
  type SinkKind,
} from './rtf-tokens.js';
import { commentText } from '../document/canonical-text.js';
import { RunText } from '../office/run-text.js';
import { symbolText } from '../office/symbol-fonts.js';
import { RtfEncodings } from './rtf-encodings.js';
import { RtfBlocks } from './rtf-blocks.js';

/**
 * Reads Rich Text Format (version 1.9.1): paragraphs, headings by style or outline level, lists, tables,
 * notes, text boxes and comments, then headers and footers. Pictures, embedded objects and hidden text are omitted.
 */
export const rtfParser: DocumentParser = {
  parse({ bytes }, builder) {
    const rtf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    if (!rtf.startsWith('{\\rtf')) throw new DocumentError('CORRUPT_FILE', 'no RTF header');
    new RtfReader(builder).read(rtfTokens(rtf));
  },
};

/** Collects the text of a destination. */
interface Sink {
  readonly kind: SinkKind;
  readonly text: RunText;
  /** Called with the text when the group of the destination ends. */
  readonly end: (text: string) => void;
}

/** The properties that a group inherits, and that are restored at its end. Never modified. */
interface GroupState {
  readonly sink: Sink;
  readonly font: number | undefined;
  /** Number of characters after `\u` that stand for the same character. */
  readonly replacementCharacters: number;
  readonly isHidden: boolean;
  readonly isDeleted: boolean;
  readonly isStruck: boolean;
  readonly isRaised: boolean;
  readonly style: number;
  readonly outlineLevel: number | undefined;
  readonly isInTable: boolean;
  readonly depth: number;
}

const PARAGRAPH_DEFAULTS = {
  style: 0,
  outlineLevel: undefined,
  isInTable: false,
  depth: 0,
};
const TEXT_DEFAULTS = { isHidden: false, isDeleted: false, isStruck: false, isRaised: false };
/** `\outlinelevel9` is body text. */
const MAX_OUTLINE_LEVEL = 8;
const MAX_GROUPS = 250;
/** Stands for an encoding, before the name of a symbol font. */
const SYMBOLS = 'symbols of ';
const HEADING_STYLE = /^\s*(?:heading ([1-9])|title)\s*;/i;

/** Interprets the tokens of an RTF file. Groups, destinations, fonts and styles end here; blocks begin. */
class RtfReader {
  private readonly blocks: RtfBlocks;
  private readonly groups: GroupState[] = [];
  private state: GroupState;
  /** Undecoded text. Characters of several bytes may be spread over tokens. */
  private bytes = '';
  private bytesEncoding = '';
  private isOptional = false;
  /** Characters to skip, because a `\u` before them has the same character. */
  private replacements = 0;
  private label = '';
  private commentAuthor = '';
  private readonly encodings = new RtfEncodings();
  /** Heading levels of paragraph styles. */
  private readonly headings = new Map<number, number>();
  private definedStyle = 0;

  constructor(private readonly builder: DocumentBuilder) {
    this.blocks = new RtfBlocks(builder);
    this.state = {
      sink: { kind: 'body', text: new RunText(), end: () => undefined },
      font: undefined,
      replacementCharacters: 1,
      ...TEXT_DEFAULTS,
      ...PARAGRAPH_DEFAULTS,
    };
  }

  /** @throws DocumentError TOO_COMPLEX, or CORRUPT_FILE when the last group is not closed */
  read(tokens: Iterable<RtfToken>): void {
    for (const token of tokens) {
      if (token.kind === 'text') this.addBytes(token.bytes);
      else {
        this.replacements = 0;
        if (token.kind === 'open') this.openGroup();
        else if (token.kind === 'control') this.control(token.word, token.value);
        // Everything after the file's own group is ignored.
        else if (this.closeGroup() === 0) return this.finish();
      }
    }
    throw new DocumentError('CORRUPT_FILE', 'the last group is not closed');
  }

  private finish(): void {
    this.endParagraph();
    this.blocks.finish();
  }

  private openGroup(): void {
    this.groups.push(this.state);
    if (this.groups.length <= MAX_GROUPS) return;
    throw new DocumentError('TOO_COMPLEX', `more than ${MAX_GROUPS} nested groups`, {
      userMessage: `Its groups are nested deeper than ${MAX_GROUPS} levels. Save it again with another program and upload the new copy.`,
    });
  }

  /** @returns the number of open groups */
  private closeGroup(): number {
    this.decodeBytes();
    const { sink } = this.state;
    this.state = this.groups.pop() ?? this.state;
    if (this.state.sink !== sink) sink.end(sink.text.take());
    return this.groups.length;
  }

  private set(changes: Partial<GroupState>): void {
    this.state = { ...this.state, ...changes };
  }

  private control(word: string, value: number | undefined): void {
    const isOptional = this.isOptional;
    this.isOptional = word === '*';
    if (this.isOptional || this.state.sink.kind === 'skipped') return;
    const kind = isOptional && !OPTIONAL_DESTINATIONS.has(word) ? 'skipped' : DESTINATIONS.get(word);
    if (kind !== undefined) return this.beginDestination(kind);
    const text = CHARACTERS.get(word);
    if (text !== undefined) return this.addText(text);
    this.setProperty(word, value);
  }

  private beginDestination(kind: SinkKind): void {
    this.decodeBytes();
    this.set({ sink: { kind, text: new RunText(), end: this.endOf(kind) } });
  }

  private endOf(kind: SinkKind): Sink['end'] {
    switch (kind) {
      case 'label':
        return (text) => (this.label = text);
      case 'note': {
        const { mark, setText } = this.blocks.addNote();
        this.addText(mark);
        return setText;
      }
      case 'box':
        return (text) => this.blocks.addBox(text);
      case 'margin':
        return (text) => this.blocks.addMargin(text);
      case 'commentAuthor':
        return (text) => (this.commentAuthor = text);
      case 'comment':
        return (text) => {
          this.blocks.addBox(commentText({ author: this.commentAuthor, text }));
          this.commentAuthor = '';
        };
      case 'title':
        return (text) => this.builder.setTitle(text);
      case 'author':
      case 'subject':
      case 'keywords':
        return (text) => this.builder.setMetadata(kind, text);
      case 'body':
      case 'fonts':
      case 'info':
      case 'skipped':
      case 'styles':
        return () => undefined;
    }
  }

  private setProperty(word: string, value: number | undefined): void {
    const number = value ?? 0;
    switch (word) {
      case 'par':
      case 'sect':
      case '\n':
      case '\r':
        return this.endParagraph();
      case 'cell':
        return this.endCell();
      case 'row':
        return this.endRow();
      case 'pard':
        return this.set(PARAGRAPH_DEFAULTS);
      case 'plain':
        this.decodeBytes();
        return this.set({ ...TEXT_DEFAULTS, font: this.encodings.defaultFont });
      case 'v':
        return this.set({ isHidden: value !== 0 });
      case 'deleted':
        return this.set({ isDeleted: value !== 0 });
      case 'strike':
      case 'striked':
        return this.set({ isStruck: value !== 0 });
      case 'super':
      case 'sub':
      case 'nosupersub':
        this.decodeBytes();
        return this.set({ isRaised: word === 'super' && value !== 0 });
      case 's':
        this.definedStyle = number;
        return this.set({ style: number });
      case 'outlinelevel':
        if (this.state.sink.kind !== 'styles') return this.set({ outlineLevel: number });
        if (number <= MAX_OUTLINE_LEVEL) this.headings.set(this.definedStyle, number + 1);
        return;
      case 'intbl':
        return this.set({ isInTable: value !== 0 });
      case 'ilvl':
        return this.set({ depth: number });
      case 'uc':
        return this.set({ replacementCharacters: number });
      case 'u':
        this.addText(String.fromCharCode(number));
        this.replacements = this.state.replacementCharacters;
        return;
      case 'f':
        return this.set({ font: number });
      case 'deff':
        this.encodings.defaultFont = number;
        return;
      default:
        if (this.state.sink.kind === 'fonts') this.encodings.declareFont(this.state.font ?? 0, word, number);
        else this.encodings.declareFile(word, number);
    }
  }

  private addBytes(bytes: string): void {
    this.isOptional = false;
    const skipped = Math.min(this.replacements, bytes.length);
    this.replacements -= skipped;
    const { sink, font } = this.state;
    if (sink.kind === 'fonts') return this.encodings.nameFont(font ?? 0, bytes);
    if (sink.kind === 'skipped' || this.isLeftOut(bytes.slice(skipped))) return;
    if (sink.kind === 'styles') return this.nameStyle(bytes);
    const symbolFont = this.encodings.symbolFontOf(font);
    const encoding = symbolFont === undefined ? this.encodings.of(font) : `${SYMBOLS}${symbolFont}`;
    if (encoding !== this.bytesEncoding) this.decodeBytes();
    this.bytesEncoding = encoding;
    this.bytes += bytes.slice(skipped);
  }

  private nameStyle(name: string): void {
    const match = HEADING_STYLE.exec(name);
    if (match !== null) this.headings.set(this.definedStyle, Number(match[1] ?? 1));
    this.definedStyle = 0;
  }

  private addText(text: string): void {
    if (this.isLeftOut(text)) return;
    this.decodeBytes();
    const font = this.encodings.symbolFontOf(this.state.font);
    this.push(font === undefined ? text : symbolText(text, font));
  }

  /** Whether text is hidden, deleted or struck out. Such text is counted. The number of a struck item is kept. */
  private isLeftOut(text: string): boolean {
    const { isHidden, isDeleted, isStruck, sink } = this.state;
    const isOut = isHidden || isDeleted || (isStruck && sink.kind !== 'label' && sink.kind !== 'styles');
    if (isOut && sink.kind !== 'skipped') this.builder.leaveOut(isHidden ? 'hidden' : 'deleted', text);
    return isOut;
  }

  private push(text: string): void {
    this.state.sink.text.add(text, this.state.isRaised);
  }

  /** Moves the undecoded text to the current sink. */
  private decodeBytes(): void {
    if (this.bytes === '') return;
    this.push(this.decoded());
    this.bytes = '';
  }

  private decoded(): string {
    const { bytes, bytesEncoding } = this;
    if (bytesEncoding.startsWith(SYMBOLS)) return symbolText(bytes, bytesEncoding.slice(SYMBOLS.length));
    if (/^[\0-\x7f]*$/.test(bytes)) return bytes;
    const encoding = iconv.encodingExists(bytesEncoding) ? bytesEncoding : 'windows-1252';
    return iconv.decode(Buffer.from(bytes, 'latin1'), encoding);
  }

  private endParagraph(isInTable = this.state.isInTable): void {
    const { sink, style, outlineLevel, depth } = this.state;
    if (sink.kind !== 'body') return this.addText('\n');
    this.decodeBytes();
    const level = outlineLevel === undefined ? this.headings.get(style) : outlineLevel + 1;
    this.blocks.addParagraph({
      text: sink.text.take(),
      level: level === undefined || level > MAX_OUTLINE_LEVEL + 1 ? undefined : level,
      label: this.label,
      depth,
      isInTable,
    });
    this.label = '';
  }

  private endCell(): void {
    if (this.state.sink.kind !== 'body') return this.addText('\t');
    this.endParagraph(true);
    this.blocks.endCell();
  }

  private endRow(): void {
    if (this.state.sink.kind !== 'body') return this.addText('\n');
    this.blocks.endRow();
  }
}
