import {
  AbstentionFilter,
  AllowedLinks,
  CitationStreamFilter,
  FrameStreamFilter,
  type Language,
  LinkStreamFilter,
  PromptEchoFilter,
  type ProtectedText,
} from '@citewell/retrieval';
import type { FoundPassage } from '../search/retriever.service.js';

/** Receives the pieces of the answer in order. Resolves when it can take the next one. */
export type OnText = (text: string) => Promise<void>;

/** What a caller may follow beside the text of an answer. */
export interface AnswerHooks {
  /** Receives the passages that the answer may cite, by number from 1, before the first piece. */
  onPassages?(passages: readonly FoundPassage[]): void;
  /** All text so far was reasoning of the model, and does not belong to the answer. */
  onRetract?(): void;
}

/** Receives the answer as it is written. */
export interface AnswerSink extends Required<AnswerHooks> {
  onText: OnText;
}

/** Changes text while it streams. `push` may hold back the end of the text, and `flush` returns it. */
export interface TextFilter {
  push(text: string): string;
  flush(): string;
}

/** What the prompt of an answer contains. */
export interface AnsweredPrompt {
  question: string;
  /** Of what the service says. Default: that of the question. */
  language?: Language;
  /** The passages are numbered from 1 to this number. */
  passageCount: number;
  passageText: string;
  /** The lines around the passages and the question, which a model may repeat. */
  frame?: readonly string[];
  /** What the answer must not repeat. */
  protectedTexts?: readonly ProtectedText[];
  /** Whether the model was asked to say that the passages do not contain the answer. */
  abstains?: boolean;
  /** The agent has a prompt of its own, so what the model says besides is the answer. */
  isOwnPrompt?: boolean;
}

/** The text of a model before it becomes part of an answer. */
export class ModelText implements TextFilter {
  private readonly abstention = new AbstentionFilter();
  private readonly citations: CitationStreamFilter;
  /** In their order, after the mark of an abstention: the prompt, citations, the frame of the prompt. */
  private readonly filters: readonly TextFilter[];

  constructor(private readonly prompt: AnsweredPrompt) {
    this.citations = new CitationStreamFilter(prompt.passageCount, prompt.passageText);
    this.filters = [
      new PromptEchoFilter(prompt.protectedTexts ?? []),
      this.citations,
      new FrameStreamFilter({ ...prompt, lines: prompt.frame ?? [] }),
    ];
  }

  /** Numbers cited so far. */
  get cited(): ReadonlySet<number> {
    return this.citations.cited;
  }

  /** The model has said that the passages do not contain the answer. The rest of its text counts only with an own prompt. */
  get hasAbstained(): boolean {
    return this.isSilenced || (this.abstention.mark !== 'none' && this.cited.size === 0);
  }

  push(text: string): string {
    const kept = this.prompt.abstains ? this.abstention.push(text) : text;
    return this.isSilenced ? '' : this.filters.reduce((piece, filter) => filter.push(piece), kept);
  }

  flush(): string {
    const last = this.abstention.flush();
    if (this.isSilenced) return '';
    return this.filters.reduce((rest, filter) => filter.push(rest) + filter.flush(), last);
  }

  private get isSilenced(): boolean {
    return this.abstention.mark === 'start' && !this.prompt.isOwnPrompt;
  }
}

/** The text of an answer without links, except to these passages and to addresses in them. */
export function answerTextOf(passages: readonly FoundPassage[]): AnswerText {
  const links = passages.flatMap(({ text, run }) => [text, run.sourceUrl ?? '']);
  return new AnswerText(new LinkStreamFilter(new AllowedLinks(links)));
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
