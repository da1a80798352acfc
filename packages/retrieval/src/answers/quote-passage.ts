import { analyze } from '../analysis/analyzer.js';
import { isNegated } from '../question/negation.js';
import { matchedWeight } from '../question/question-terms.js';
import { announces, asks, isRow, isSignature, type Unit, unitsOf } from './passage-units.js';
import { FORM_WEIGHTS, formWeight } from './unit-form.js';
import { bestWindow, introduction, type Range, sentencesOf, widthOf } from '../analysis/sentence-window.js';

/** A slice of a document. */
export interface QuotablePassage {
  readonly text: string;
  /** UTF-16 offset of the slice in the canonical text of the document. */
  readonly start: number;
  /** Lines of the document above the slice, of which the last can be the first row of a table. Default: none. */
  readonly header?: string;
  /** Titles of the headings above the slice, outermost first. Default: none. */
  readonly headingPath?: readonly string[];
  /** The text of the document directly above the slice, of which the last lines can belong to it. Default: none. */
  readonly textAbove?: string;
  /** Default: none. */
  readonly documentName?: string;
}

/** Sentences of a passage, verbatim. */
export interface PassageQuote {
  /** UTF-16 offsets of `text` in the canonical text of the document; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A quote that matches a question. */
export interface QuoteMatch extends PassageQuote {
  /**
   * What the quote is about, verbatim, if it is not part of the quote: lines of the document above it. An ellipsis stands for
   * text that is left out.
   */
  readonly lead: readonly string[];
  /** The matched weight of the terms of the question. */
  readonly score: number;
  /** Whether the quote defines what the question asks for, and nothing else. */
  readonly isDefinition: boolean;
  /** The terms of the question that the best unit of the quote has, or what stands above it. */
  readonly matched: ReadonlySet<string>;
}

/** What a passage has for a question. */
export interface QuoteMatches {
  /** Null if the passage has no term of the question. */
  readonly best: QuoteMatch | null;
  /** All units that match as well as the best one, each alone. */
  readonly equal: readonly QuoteMatch[];
}

/** Default length of the longest quote in UTF-16 code units; a Chinese, Japanese or Korean character counts as 3. */
export const MAX_QUOTE_CHARACTERS = 360;
/** How much longer a quote may be that is a list or a table, or begins with what stands above it. */
const STRUCTURE_FACTOR = 4 / 3;
/** The least share of the best item's score for an adjacent one. */
const MIN_NEIGHBOUR = 0.8;
/** Longest line above a quote that is repeated, as width. */
const MAX_LEAD = 200;

/** Stands for text that is left out of a quote. */
const ELLIPSIS = '…';
/** What the terms above a unit count, compared with its own. The nearer ones decide between equal units. */
const INTRO_WEIGHT = 0.9;
const LABEL_WEIGHT = 0.6;
const NONE: ReadonlySet<string> = new Set();
/** Scores are sums of floating-point numbers. */
const TOLERANCE = 1e-6;
/** What a unit counts that affirms what the question negates. */
const AFFIRMED_WEIGHT = 0.2;

/** The best unit of a passage with its neighbours. */
interface Match {
  readonly body: Range;
  readonly unit: Unit;
  readonly score: number;
  readonly isDefinition: boolean;
}

/**
 * Returns the sentences, list items or rows of a passage that have the most of the given terms, within `maxCharacters`
 * (a third more for lists and tables). Null if none has any of the terms. A sentence that announces a list or code is
 * quoted with it, and a step with the steps before it.
 *
 * @param terms with their weights
 */
export function quoteBody(
  terms: ReadonlyMap<string, number>,
  passage: QuotablePassage,
  maxCharacters: number,
): PassageQuote | null {
  const match = new PassageMatcher(terms, passage).best(maxCharacters);
  return match === null ? null : slice(passage, match.body);
}

/**
 * Returns {@link quoteBody} with the lines that name its subject: the signature that it describes, the first row of its table, the sentence
 * that announces its list, and the heading or the question above it if they have terms that the body has not. Lines
 * directly above the body become part of the quote.
 *
 * @param negated terms that the question negates, see `AnalyzedQuestion.negated`
 */
export function quoteMatches(
  terms: ReadonlyMap<string, number>,
  passage: QuotablePassage,
  maxCharacters: number,
  negated: ReadonlySet<string> = NONE,
): QuoteMatches {
  const matcher = new PassageMatcher(terms, passage, negated);
  const match = matcher.best(maxCharacters);
  return {
    best: match === null ? null : quoteOf(matcher, match, passage, maxCharacters),
    equal: matcher.equal(maxCharacters).map((one) => quoteOf(matcher, one, passage, maxCharacters)),
  };
}

function quoteOf(
  matcher: PassageMatcher,
  match: Match,
  passage: QuotablePassage,
  maxCharacters: number,
): QuoteMatch {
  const quote = withLeads(passage, match.body, matcher.leadsOf(match), maxCharacters * STRUCTURE_FACTOR);
  return {
    ...quote,
    lead: [...matcher.linesAbove(match), ...quote.lead],
    score: match.score,
    isDefinition: match.isDefinition,
    matched: matcher.matchedBy(match.unit),
  };
}

/** Compares the units of a passage with terms. */
class PassageMatcher {
  private readonly units: readonly Unit[];
  private readonly heading: string;
  private readonly headingTerms: ReadonlySet<string>;
  /** The first row of the table with which the passage begins, if it is not part of the passage. */
  private readonly firstRow: string | null;
  private readonly firstRowTerms: ReadonlySet<string>;
  /** The matched weight of each unit without what stands above it, and with that. */
  private readonly own: readonly number[];
  private readonly scores: readonly number[];
  private readonly known = new Map<string, ReadonlySet<string>>();

  constructor(
    private readonly terms: ReadonlyMap<string, number>,
    private readonly passage: QuotablePassage,
    private readonly negated: ReadonlySet<string> = NONE,
  ) {
    const lastLine = passage.header?.split('\n').at(-1) ?? '';
    this.firstRow = isRow(lastLine) ? lastLine : null;
    this.firstRowTerms = new Set(analyze(this.firstRow ?? ''));
    this.units = unitsOf(passage.text, { beginsInTable: this.firstRow !== null });
    this.heading = passage.headingPath?.at(-1) ?? '';
    this.headingTerms = new Set(analyze(this.heading));
    this.own = this.units.map((unit) =>
      unit.kind === 'label' ? 0 : matchedWeight(terms, this.termsOf(unit)),
    );
    this.scores = this.units.map((unit, index) => this.scoreOf(unit, this.own[index] ?? 0));
  }

  best(maxCharacters: number): Match | null {
    const { units, passage, terms } = this;
    const { own, scores } = this;
    const score = Math.max(0, ...scores);
    const best = scores.indexOf(score);
    const unit = units[best];
    if (score === 0 || unit === undefined) return null;
    const focus = (sentence: Range): number => bestMatch(terms, passage.text, sentence);
    const isDefinition = formWeight(passage.text, unit, terms) === FORM_WEIGHTS.definition;
    const body = isDefinition ? unit : bodyOf(passage.text, units, { best, own, maxCharacters, focus });
    return { body, unit, score, isDefinition };
  }

  /** The units with the best score, each alone. None if one is too long. */
  equal(maxCharacters: number): Match[] {
    const { passage, terms } = this;
    const { scores } = this;
    const score = Math.max(0, ...scores);
    const best = this.units.filter((_, index) => score > 0 && (scores[index] ?? 0) >= score - TOLERANCE);
    if (best.some(({ start, end }) => widthOf(passage.text.slice(start, end)) > maxCharacters)) return [];
    return best.map((unit) => {
      const isDefinition = formWeight(passage.text, unit, terms) === FORM_WEIGHTS.definition;
      return { body: unit, unit, score, isDefinition };
    });
  }

  /** The terms of the question that a unit has, or what stands above it. */
  matchedBy(unit: Unit): ReadonlySet<string> {
    const above = [unit.intro, unit.label].flatMap((range) =>
      range === null ? [] : [...this.termsOf(range)],
    );
    const rows = isBelowFirstRow(unit) ? this.firstRowTerms : NONE;
    const all = [...this.termsOf(unit), ...above, ...rows, ...this.headingTerms];
    return new Set(all.filter((term) => this.terms.has(term)));
  }

  /** Lines of the passage above a match that belong to it, in order. */
  leadsOf({ body, unit }: Match): Range[] {
    const { text } = this.passage;
    const { label, intro } = unit;
    return [label, intro].flatMap((lead) => {
      if (lead === null || lead.start >= body.start) return [];
      const isNeeded =
        lead === intro || isSignature(text.slice(lead.start, lead.end)) || needsHeading(text, unit);
      return isNeeded || this.isMissing(this.termsOf(lead), body) ? [lastLines(text, lead)] : [];
    });
  }

  /** Lines of the document above the passage that belong to a match: a heading, the first row of a table. */
  linesAbove({ body, unit }: Match): string[] {
    const { text } = this.passage;
    const lines: string[] = [];
    const signature = unit.label === null ? this.signatureAbove() : null;
    if (signature !== null)
      lines.push(signature, ...(text.slice(0, body.start).trim() === '' ? [] : [ELLIPSIS]));
    const isHeaded = signature === null && unit.label === null && this.heading !== '';
    if (isHeaded && (this.isMissing(this.headingTerms, body) || needsHeading(text, unit)))
      lines.push(this.heading, ELLIPSIS);
    if (this.firstRow !== null && isBelowFirstRow(unit)) lines.push(this.firstRow, ELLIPSIS);
    return lines;
  }

  /** The signature with which the text above the passage ends, if it describes the beginning of the passage. */
  private signatureAbove(): string | null {
    const { textAbove = '' } = this.passage;
    // The passage stands for the description below the signature.
    const { label = null } =
      textAbove === '' ? {} : (unitsOf(`${textAbove.trimEnd()}\n\nText.`).at(-1) ?? {});
    if (label === null) return null;
    const signature = lastLines(textAbove, label);
    const lines = textAbove.slice(signature.start, signature.end).trim();
    return isSignature(lines) && textAbove.slice(label.end).trim() === '' ? lines : null;
  }

  /** The terms of a unit count, and a little less those of the lines above that it has not. */
  private scoreOf(unit: Unit, own: number): number {
    const { terms } = this;
    if (unit.kind === 'label') return 0;
    const self = this.termsOf(unit);
    const above = isBelowFirstRow(unit) ? this.firstRowTerms : NONE;
    const intro = unit.intro === null ? above : this.termsOf(unit.intro);
    const label = unit.label === null ? this.headingTerms : this.termsOf(unit.label);
    const context =
      INTRO_WEIGHT * matchedWeight(terms, without(intro, self)) +
      LABEL_WEIGHT * matchedWeight(terms, without(label, self, intro));
    return (own + context) * formWeight(this.passage.text, unit, terms) * this.affirmedWeight(unit);
  }

  private affirmedWeight(unit: Unit): number {
    const { negated } = this;
    if (negated.size === 0 || isNegated(this.passage.text.slice(unit.start, unit.end))) return 1;
    return [...this.termsOf(unit)].some((term) => negated.has(term)) ? AFFIRMED_WEIGHT : 1;
  }

  private isMissing(above: ReadonlySet<string>, body: Range): boolean {
    const found = this.termsOf(body);
    return [...above].some((term) => this.terms.has(term) && !found.has(term));
  }

  private termsOf({ start, end }: Range): ReadonlySet<string> {
    const key = `${start}-${end}`;
    const terms = this.known.get(key) ?? new Set(analyze(this.passage.text.slice(start, end)));
    this.known.set(key, terms);
    return terms;
  }
}

/** Whether a unit is a row of the table with which the passage begins. The first row can be above the passage. */
function isBelowFirstRow({ kind, block }: Unit): boolean {
  return kind === 'row' && block === 0;
}

function without(terms: ReadonlySet<string>, ...others: readonly ReadonlySet<string>[]): Set<string> {
  return new Set([...terms].filter((term) => !others.some((other) => other.has(term))));
}

interface BodyOptions {
  /** Index of the best unit. */
  readonly best: number;
  /** The matched weight of each unit without what stands above it. */
  readonly own: readonly number[];
  readonly maxCharacters: number;
  readonly focus: (sentence: Range) => number;
}

/**
 * The best unit with its neighbours. Steps, items of which only the announcement matches, and the answer to a question above
 * begin with the first one.
 */
function bodyOf(
  text: string,
  units: readonly Unit[],
  { best, own, maxCharacters, focus }: BodyOptions,
): Range {
  const unit = units[best];
  if (unit === undefined) return { start: 0, end: 0 };
  const block = units.filter((other) => other.block === unit.block && other.kind !== 'label');
  const start = block[0]?.start ?? unit.start;
  const maxWidth = maxCharacters * STRUCTURE_FACTOR;
  const fits = ({ end }: Range): boolean =>
    end - start <= maxWidth && widthOf(text.slice(start, end)) <= maxWidth;
  const isAnswer = unit.label !== null && asks(text.slice(unit.label.start, unit.label.end));
  const isWhole = unit.kind === 'step' || (unit.kind !== 'sentence' && own[best] === 0);
  if (isWhole && fits(unit)) return { start, end: block.findLast(fits)?.end ?? unit.end };
  const isProse = unit.kind === 'sentence';
  // An item or a row next to the best one is another subject, unless it matches about as well.
  const least = isProse ? 0 : MIN_NEIGHBOUR * (own[best] ?? 0);
  const scores = block.map((one) => {
    const score = own[units.indexOf(one)] ?? 0;
    if (one === unit) return Infinity;
    return score >= least ? score : 0;
  });
  const window = bestWindow(text, block, scores, {
    maxWidth: isProse ? maxCharacters : maxWidth,
    isProse,
    focus,
  });
  const begun =
    isAnswer && isProse && widthOf(text.slice(start, window.end)) <= maxWidth ? start : window.start;
  return withAnnounced(text, units, { start: begun, end: window.end }, maxWidth);
}

/** Adds the list, table or code that the last sentence announces, as far as it fits. */
function withAnnounced(text: string, units: readonly Unit[], body: Range, maxWidth: number): Range {
  let { end } = body;
  if (!announces(text.slice(body.start, end))) return body;
  const first = units.find(({ start }) => start >= end);
  for (const unit of units) {
    if (unit.start < end || unit.block !== first?.block) continue;
    if (widthOf(text.slice(body.start, unit.end)) > maxWidth) break;
    ({ end } = unit);
  }
  return { start: body.start, end };
}

/** Whether a list item or a row says nothing without the heading above: it is no sentence, and defines no term. */
function needsHeading(text: string, { kind, intro, start, end }: Unit): boolean {
  if (kind !== 'item' || intro !== null) return false;
  return !/[.!?。！？]$|[:：]/u.test(text.slice(start, end));
}

/** The last lines of a lead that are not too long; its first line is kept if it alone is too long. */
function lastLines(text: string, { start, end }: Range): Range {
  let from = start;
  while (widthOf(text.slice(from, end)) > MAX_LEAD) {
    const next = text.indexOf('\n', from);
    if (next < 0 || next >= end) break;
    from = next + 1;
  }
  return { start: from, end };
}

/** Lines that name the subject become part of the body if they are directly above it and fit. Others are returned beside it. */
function withLeads(
  passage: QuotablePassage,
  body: Range,
  leads: readonly Range[],
  maxWidth: number,
): Pick<QuoteMatch, 'start' | 'end' | 'text' | 'lead'> {
  const { text } = passage;
  let range = body;
  const apart: string[] = [];
  for (const lead of leads.toReversed()) {
    const isAdjacent = apart.length === 0 && text.slice(lead.end, range.start).trim() === '';
    if (isAdjacent && widthOf(text.slice(lead.start, range.end)) <= maxWidth)
      range = { start: lead.start, end: range.end };
    else if (widthOf(text.slice(lead.start, lead.end)) <= MAX_LEAD)
      apart.unshift(text.slice(lead.start, lead.end).trim(), ELLIPSIS);
  }
  return { ...slice(passage, range), lead: apart };
}

/** Returns the first sentences of a passage, within `maxCharacters`. */
export function quoteIntroduction(passage: QuotablePassage, maxCharacters: number): QuoteMatch {
  const range = introduction(passage.text, sentencesOf(passage.text), maxCharacters);
  return { ...slice(passage, range), lead: [], score: 0, isDefinition: false, matched: NONE };
}

function slice({ text, start }: QuotablePassage, range: Range): PassageQuote {
  return { start: start + range.start, end: start + range.end, text: text.slice(range.start, range.end) };
}

/** Offset in the text of the word of a sentence that matches most, the first of equal ones; its start if no word matches. */
function bestMatch(terms: ReadonlyMap<string, number>, text: string, { start, end }: Range): number {
  let best = { at: start, weight: 0 };
  for (const match of text.slice(start, end).matchAll(/\S{1,64}/gu)) {
    const weight = matchedWeight(terms, new Set(analyze(match[0])));
    if (weight > best.weight) best = { at: start + match.index, weight };
  }
  return best.at;
}
