import {
  AbstentionFilter,
  CitationStreamFilter,
  FrameStreamFilter,
  PromptEchoFilter,
  type ProtectedText,
} from '@citewell/retrieval';
import type { TextFilter } from './answer-text.js';

/** What the prompt of an answer contains. */
export interface AnsweredPrompt {
  question: string;
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

/** The filters of a model's text, in their order: the mark of an abstention, the prompt, citations, the prompt's frame. */
export class ModelTextFilters implements TextFilter {
  private readonly abstention = new AbstentionFilter();
  private readonly echo: PromptEchoFilter;
  private readonly citations: CitationStreamFilter;
  private readonly frame: FrameStreamFilter;

  constructor(private readonly prompt: AnsweredPrompt) {
    this.echo = new PromptEchoFilter(prompt.protectedTexts ?? []);
    this.citations = new CitationStreamFilter(prompt.passageCount, prompt.passageText);
    this.frame = new FrameStreamFilter({ ...prompt, lines: prompt.frame ?? [] });
  }

  /** Numbers cited so far. */
  get cited(): ReadonlySet<number> {
    return this.citations.cited;
  }

  /** The model has said that the passages do not contain the answer. What it says besides counts only with its own prompt. */
  get hasAbstained(): boolean {
    return this.isSilenced || (this.abstention.mark !== 'none' && this.cited.size === 0);
  }

  push(text: string): string {
    return this.show(this.prompt.abstains ? this.abstention.push(text) : text);
  }

  flush(): string {
    const rest = this.show(this.abstention.flush());
    const last = this.citations.push(this.echo.flush()) + this.citations.flush();
    return rest + this.frame.push(last) + this.frame.flush();
  }

  private get isSilenced(): boolean {
    return this.abstention.mark === 'start' && !this.prompt.isOwnPrompt;
  }

  private show(text: string): string {
    return this.isSilenced ? '' : this.frame.push(this.citations.push(this.echo.push(text)));
  }
}
