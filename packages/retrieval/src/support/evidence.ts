import { analyze } from '../analysis/analyzer.js';
import { sentencesOf } from '../analysis/sentence-window.js';
import { detectLanguage } from '../question/detect-language.js';
import { functionWords, type Language, QUESTION_CHARACTERS } from '../question/function-words.js';
import { questionTerms } from '../question/question-terms.js';
import { type Quantity, readQuantities } from './read-quantities.js';
import { numberWords, wordKey } from './number-words.js';
import { NEGATIONS } from '../question/negation.js';

/** A passage that an answer may be based on. */
export interface AlignablePassage {
  readonly text: string;
  readonly headingPath?: readonly string[];
  /** Of the document. */
  readonly datasourceName?: string;
  /** What queries of its tables gave: see `tableEvidence`. */
  readonly results?: string;
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
  /** First those of the results. */
  readonly sentences: readonly ReadText[];
  readonly results: readonly ReadText[];
  /** Its headings and the name of its document, which each of its sentences may leave out. */
  readonly head: ReadText;
  private readAll: ReadonlySet<string> | undefined;
  private readAmounts: readonly Quantity[] | undefined;
  private readLower: ReadonlySet<string> | undefined;

  constructor(
    private readonly passage: AlignablePassage,
    readonly number: number,
  ) {
    const { text, headingPath = [], datasourceName = '', results = '' } = passage;
    const language = detectLanguage(`${results}${text}`.slice(0, 2_000));
    const read = (whole: string): ReadText[] =>
      sentencesOf(whole).map(({ start, end }) => new ReadText(whole.slice(start, end), language));
    this.results = read(results);
    this.sentences = [...this.results, ...read(text)];
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

const HAN_OR_KANA = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
const LETTERS = String.raw`[[\p{L}\p{M}\p{Nd}_]--[${HAN_OR_KANA}]]`;
const TOKEN = new RegExp(String.raw`${LETTERS}+(?:[\-'’.]${LETTERS}+){0,4}|[.!?:;。！？\n\|]`, 'gv');
const SENTENCE_END = /^[.!?:;。！？\n|]$/;
const CAPITAL = /^\p{Lu}/u;
/** iPhone, USB */
const INNER_CAPITAL = /[\p{Ll}\p{Lu}]\p{Lu}/u;
const LETTER = /\p{L}/u;
const DIGIT = /\p{Nd}/u;
/** A number with a letter or a unit: 24k, 12kg, 5th */
const NUMBER = /^\p{Nd}+(?:[.,]\p{Nd}+)?\p{L}{0,3}$/u;
const CASELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2,}/gu;

const NUMERALS = /[〇一二三四五六七八九十百千万萬亿億两]/gu;

interface Names {
  /** Terms of names and identifiers. */
  readonly certain: ReadonlySet<string>;
  /** Terms of words with a capital letter that may have another reason. */
  readonly possible: ReadonlySet<string>;
}

/**
 * The names of a text in a script with capital letters. The first word of a sentence has one, too, and so have the nouns of German:
 * after an article or an adjective, a word there is hardly a name.
 */
function readNames(text: string, language: Language): Names {
  const functions = functionWords(language);
  const { months, units, numerals } = numberWords(language);
  const certain = new Set<string>();
  const possible = new Set<string>();
  let before = '';
  for (const [token] of text.matchAll(TOKEN)) {
    const lower = token.toLowerCase();
    const isIdentifier = INNER_CAPITAL.test(token) || (LETTER.test(token) && DIGIT.test(token));
    const isWord = CAPITAL.test(token) || isIdentifier;
    const isOther =
      functions.has(lower) ||
      NUMBER.test(token) ||
      months.has(lower) ||
      units.has(wordKey(lower)) ||
      numerals.has(wordKey(lower));
    if (isWord && !isOther && !SENTENCE_END.test(token)) {
      const isFirst = before === '' || SENTENCE_END.test(before);
      const isNoun =
        language === 'de' &&
        /^\p{Ll}/u.test(before) &&
        /^(?:d[aei][smnr]?|(?:k|m|s|d)?ein.{0,2}|\p{L}+(?:e[nmrs]?))$/u.test(before);
      if (isIdentifier || (!isFirst && !isNoun)) for (const term of analyze(token)) certain.add(term);
      else for (const term of analyze(token)) possible.add(term);
    }
    before = token;
  }
  return { certain, possible };
}

/**
 * Whether a text in a script without spaces has a word that others do not have: two adjacent pairs of characters, or all pairs
 * between two signs. Where parts of sentences are joined, one pair is new.
 */
export function hasNewWord(text: string, isKnown: (pair: string) => boolean): boolean {
  const subject = text.replace(QUESTION_CHARACTERS, ' ').replace(NUMERALS, ' ');
  return Array.from(subject.matchAll(CASELESS)).some(([run]) => {
    const pairs = analyze(run);
    let unknown = 0;
    return pairs.some((pair) => {
      unknown = isKnown(pair) ? 0 : unknown + 1;
      return unknown >= Math.min(2, pairs.length);
    });
  });
}

const CLAUSE = /[,;:!?()\n，。；：！？、،؛—–]|\.(?=\s|$)/gu;
/** A cue denies terms up to this distance. */
const REACH = 3;

/** What a text denies. */
interface Denials {
  /** The content term that each negation denies: the next of its clause, else the one before. */
  readonly heads: readonly string[];
  /** The terms that stand near a negation somewhere. */
  readonly denied: ReadonlySet<string>;
  /** The terms that stand far from any negation somewhere. */
  readonly affirmed: ReadonlySet<string>;
}

/** Finds the negations of a text, and the content terms that they deny. */
function readDenials(text: string, language: Language, content: ReadonlySet<string>): Denials {
  const heads: string[] = [];
  const denied = new Set<string>();
  const affirmed = new Set<string>();
  for (const clause of text.split(CLAUSE)) {
    const parts = clause
      .split(NEGATIONS[language])
      .map((part) => analyze(part).filter((term) => content.has(term)));
    const terms = parts.flat();
    const cues: number[] = [];
    for (let index = 0, at = 0; index < parts.length - 1; index += 1) {
      at += parts[index]?.length ?? 0;
      cues.push(at);
      const head = terms[at] ?? terms[at - 1];
      if (head !== undefined) heads.push(head);
    }
    let nearest = 0;
    for (const [at, term] of terms.entries()) {
      while (
        Math.abs((cues[nearest + 1] ?? Infinity) - at) <= Math.abs((cues[nearest] ?? Infinity) - at) &&
        nearest + 1 < cues.length
      )
        nearest += 1;
      const distance = at - (cues[nearest] ?? Infinity);
      (distance >= -REACH && distance < REACH ? denied : affirmed).add(term);
    }
  }
  return { heads, denied, affirmed };
}

/**
 * Whether a statement and the sentences of a passage deny the same. It `differs` if one denies a term that the other affirms; a
 * denial is `missing` if the sentences do not have what the statement denies.
 */
export function compareDenials(
  statement: Denials,
  sentences: readonly Denials[],
): 'same' | 'differs' | 'missing' {
  const isDenied = (term: string): boolean => sentences.some(({ denied }) => denied.has(term));
  const isAffirmed = (term: string): boolean => sentences.some(({ affirmed }) => affirmed.has(term));
  const statesMore = statement.heads.some((head) => isAffirmed(head) && !isDenied(head));
  const statesLess = sentences.some(({ heads }) =>
    heads.some((head) => !isAffirmed(head) && statement.affirmed.has(head) && !statement.denied.has(head)),
  );
  if (statesMore || statesLess) return 'differs';
  const isMissing = statement.heads.some((head) => !isDenied(head)) && ![...statement.denied].some(isDenied);
  return isMissing ? 'missing' : 'same';
}
