import { analyze } from '../analysis/analyzer.js';
import { sentencesOf } from '../analysis/sentence-window.js';
import { detectLanguage } from '../question/detect-language.js';
import type { Language } from '../question/function-words.js';
import { questionTerms } from '../question/question-terms.js';
import { type Denials, readDenials } from './negations.js';
import { type Names, readNames } from './names.js';
import { type Quantity, readQuantities } from './read-quantities.js';

/** A passage that an answer may be based on. */
export interface AlignablePassage {
  readonly text: string;
  readonly headingPath?: readonly string[];
  /** Of the document. */
  readonly datasourceName?: string;
}

/** A part of a text with its terms, amounts, negations and names, each extracted when it is first used. */
export class ReadText {
  private readTerms: readonly string[] | undefined;
  private readContent: ReadonlyMap<string, number> | undefined;
  private readAmounts: readonly Quantity[] | undefined;
  private readDenied: Denials | undefined;
  private readNamed: Names | undefined;

  constructor(
    readonly text: string,
    readonly language: Language,
  ) {}

  /** Its index terms, in order and with repetitions. */
  get terms(): readonly string[] {
    return (this.readTerms ??= analyze(this.text));
  }

  /** The weights of its terms that are neither function words nor numbers. */
  get content(): ReadonlyMap<string, number> {
    return (this.readContent ??= new Map(
      [...questionTerms(this.text, this.terms)].filter(([term]) => !/^\p{Nd}/u.test(term)),
    ));
  }

  get quantities(): readonly Quantity[] {
    return (this.readAmounts ??= readQuantities(this.text, this.language));
  }

  get denials(): Denials {
    return (this.readDenied ??= readDenials(this.text, this.language, new Set(this.content.keys())));
  }

  get names(): Names {
    return (this.readNamed ??= readNames(this.text, this.language));
  }
}

/** A passage as evidence: its sentences, and what is known about all of it. */
export class EvidencePassage {
  readonly sentences: readonly ReadText[];
  /** Its headings and the name of its document, which each of its sentences may leave out. */
  readonly head: ReadText;
  private readAll: ReadonlySet<string> | undefined;
  private readAmounts: readonly Quantity[] | undefined;
  private readLower: ReadonlySet<string> | undefined;

  constructor(
    private readonly passage: AlignablePassage,
    readonly number: number,
  ) {
    const { text, headingPath = [], datasourceName = '' } = passage;
    const language = detectLanguage(text.slice(0, 2_000));
    this.sentences = sentencesOf(text).map(
      ({ start, end }) => new ReadText(text.slice(start, end), language),
    );
    this.head = new ReadText([...headingPath, datasourceName].join('\n'), language);
  }

  get terms(): ReadonlySet<string> {
    return (this.readAll ??= new Set([this.head, ...this.sentences].flatMap(({ terms }) => terms)));
  }

  get quantities(): readonly Quantity[] {
    return (this.readAmounts ??= [this.head, ...this.sentences].flatMap(({ quantities }) => quantities));
  }

  /** The terms of words that it writes in lower case. */
  get lowerTerms(): ReadonlySet<string> {
    return (this.readLower ??= new Set(
      analyze((this.passage.text.match(/(?<![\p{L}\p{Nd}])\p{Ll}[\p{L}\p{M}]*/gu) ?? []).join(' ')),
    ));
  }
}
