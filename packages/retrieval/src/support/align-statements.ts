import { analyze } from '../analysis/analyzer.js';
import type { AnalyzedQuestion } from '../question/analyzed-question.js';
import { detectLanguage } from '../question/detect-language.js';
import { type Statement, statementsOf } from './answer-statements.js';
import { isInOrder, pairsOf } from './word-order.js';
import { compareQuantities } from './compare-quantities.js';
import { type AlignablePassage, compareDenials, EvidencePassage, hasNewWord, ReadText } from './evidence.js';

/** What a passage says otherwise than a statement that it matches in the rest. */
export interface Contradiction {
  readonly kind: 'number' | 'negation';
  /** The number of the passage. */
  readonly number: number;
  /** The number, with its unit, or the sentence, in the answer. */
  readonly stated: string;
  /** What the passage has in its place. */
  readonly found: string;
  /** The sentence of the passage. */
  readonly sentence: string;
}

/** A statement of an answer with what supports it. */
export interface AlignedStatement extends Statement {
  /** The number of the passage that supports a statement without a citation of its own. */
  readonly added: number | null;
  /** Whether the passages that the statement cites support it. Without a citation: whether any passage does. */
  readonly supported: boolean;
  readonly contradiction?: Contradiction;
  /** Numbers that are computed from those of the passage, as they are written. */
  readonly calculated: readonly string[];
}

/**
 * The least share of the words of a statement that a passage must contain, weighted by their rarity, so that the statement gets
 * a citation. Chosen so that at least nine of ten added citations are right: see docs/retrieval.md.
 */
const ADDED = 0.9;
/** The same for a statement that cites the passage: most of them. Chosen on AttributionBench: see docs/retrieval.md. */
const CITED = 0.55;
/** The same for one of which it says the contrary: half. */
const CONTRADICTED = 0.5;
/** Share of a statement that two adjacent sentences must have beyond that of one. */
const SECOND_SENTENCE = 0.05;
/** Words of a statement that a second sentence elsewhere must have, and the least share of them. */
const MIN_REST = 3;
const COMPLETE = 0.8;
/** Share of the other words that the sentences must have before a name is compared. In a free wording, a name is one more word. */
const MOSTLY = 0.75;
/** Sentences that match a statement equally well and are compared with it. */
const MAX_TIED = 6;
/** A statement with fewer words that are no function words says too little to be compared with passages that it does not cite. */
const MIN_TERMS = 3;
/** The same for a fragment, such as the name in a list: that a passage has the name supports nothing. */
const MIN_FRAGMENT_TERMS = 5;
const SENTENCE_END = /[.!。！]["”'’»)]*$/u;

type Verdict = Pick<AlignedStatement, 'supported' | 'contradiction' | 'calculated'>;

const UNSUPPORTED: Verdict = { supported: false, calculated: [] };

/** A sentence of a passage, or two adjacent ones. */
interface Candidate {
  readonly passage: EvidencePassage;
  readonly sentences: readonly ReadText[];
  /** The terms of its headings and sentences in their order. */
  readonly sequence: readonly string[];
}

/** Which candidates have a term. A statement is compared only with those that have one of its words. */
type Postings = ReadonlyMap<string, ReadonlySet<Candidate>>;

/**
 * Compares the statements of an answer with the passages that it was written from. One that cites is compared with what it
 * cites: two adjacent sentences must have most of its words, its names and its numbers (see `readQuantities`), and deny like it.
 *
 * A statement without a citation gets that of the passage that contains its words, above {@link ADDED}. There, the words of the questions
 * count for nothing, because an answer repeats them, and most neighbours among its words must be neighbours in the passage, or it may
 * say something else with the same words.
 *
 * Returns null without passages, and if the answer has another language than they: words cannot be compared then.
 *
 * @param passages numbered from 1 in this order
 */
export function alignStatements(
  questions: readonly AnalyzedQuestion[],
  answer: string,
  passages: readonly AlignablePassage[],
): AlignedStatement[] | null {
  const statements = statementsOf(answer);
  if (passages.length === 0 || !hasOneLanguage(statements, passages)) return null;
  const aligner = new Aligner(questions, passages);
  return statements.map((statement) => aligner.align(statement));
}

function hasOneLanguage(statements: readonly Statement[], passages: readonly AlignablePassage[]): boolean {
  const language = detectLanguage(
    statements
      .map(({ text }) => text)
      .join(' ')
      .slice(0, 2_000),
  );
  return passages.some(
    ({ text, results = '' }) => detectLanguage(`${results}${text}`.slice(0, 2_000)) === language,
  );
}

class Aligner {
  private readonly passages: readonly EvidencePassage[];
  private readonly candidates: readonly Candidate[];
  private readonly postings: Postings;
  private readonly asked: ReadonlySet<string>;

  constructor(questions: readonly AnalyzedQuestion[], passages: readonly AlignablePassage[]) {
    this.passages = passages.map((passage, index) => new EvidencePassage(passage, index + 1));
    this.candidates = this.passages.flatMap(candidatesOf);
    this.postings = postingsOf(this.candidates);
    this.asked = new Set(questions.flatMap(({ weights }) => [...weights.keys()]));
  }

  align(statement: Statement): AlignedStatement {
    const { text, cited } = statement;
    if (cited.length === 0)
      return { ...statement, ...this.compareWithAll(new ReadText(text, detectLanguage(text.slice(0, 500)))) };
    const passages = this.passages.filter(({ number }) => cited.includes(number));
    const language = passages[0]?.head.language ?? 'en';
    return { ...statement, added: null, ...this.compareWithCited(new ReadText(text, language), passages) };
  }

  private compareWithCited(read: ReadText, passages: readonly EvidencePassage[]): Verdict {
    const weights = wordsOf(read);
    const coverage = this.coverage(weights, (candidate) => passages.includes(candidate.passage));
    const verdicts = bestOf(coverage).flatMap((candidate) => {
      const second = this.complement(candidate, weights, passages);
      const covered = (coverage.get(candidate) ?? 0) + (second?.covered ?? 0);
      const sentences = [...candidate.sentences, ...(second?.candidate.sentences ?? [])];
      if (covered < CONTRADICTED) return [];
      const verdict = verdictOf(read, { sentences, passages, asked: this.asked });
      return verdict.supported && covered < CITED ? [] : [verdict];
    });
    // A statement of numbers alone, such as "12 kg".
    if (weights.size === 0 && passages.length > 0) {
      const sentences = passages.flatMap((passage) => passage.sentences);
      return verdictOf(read, { sentences, passages, asked: this.asked });
    }
    return (
      verdicts.find(({ supported }) => supported) ??
      this.compareWithResults(read, passages) ??
      verdicts.find(({ contradiction }) => contradiction !== undefined) ??
      UNSUPPORTED
    );
  }

  /**
   * Numbers that queries gave support a statement in any words, as far as it names nothing else: "the total is 12" has hardly a
   * word of the question.
   */
  private compareWithResults(read: ReadText, passages: readonly EvidencePassage[]): Verdict | null {
    const sentences = passages.flatMap(({ results }) => results);
    if (sentences.length === 0 || !read.quantities.some(({ isClaim }) => isClaim)) return null;
    const known = new Set(sentences.flatMap(({ terms }) => terms));
    if ([...read.names.certain].some((term) => !this.asked.has(term) && !hasForm(known, term))) return null;
    const verdict = verdictOf(read, { sentences, passages: [], asked: this.asked });
    return verdict.supported ? verdict : null;
  }

  /** Finds the passage that supports a statement without a citation best. */
  private compareWithAll(read: ReadText): Verdict & Pick<AlignedStatement, 'added'> {
    const weights = this.weightsOf(read);
    const fresh = new Map([...weights].filter(([term]) => !this.asked.has(term)));
    const least = SENTENCE_END.test(read.text) ? MIN_TERMS : MIN_FRAGMENT_TERMS;
    const numbers = read.quantities.length;
    // One word that is not of the question is chance, unless it is a number.
    if (fresh.size + numbers < (numbers > 0 ? 1 : 2) || weights.size + numbers < least)
      return { ...UNSUPPORTED, added: null };
    const pairs = pairsOf(read.terms.filter((term) => weights.has(term)));
    const ofFresh = this.coverage(fresh);
    const scored = [...this.coverage(weights)]
      .map(([candidate, covered]) => ({
        candidate,
        score: Math.min(covered, fresh.size > 0 ? (ofFresh.get(candidate) ?? 0) : 1),
      }))
      .filter(({ score }) => score > ADDED)
      .toSorted((a, b) => b.score - a.score || a.candidate.passage.number - b.candidate.passage.number);
    let contradicted: Verdict | undefined;
    for (const { candidate } of scored.slice(0, MAX_TIED)) {
      if (!isInOrder(pairs, candidate.sequence)) continue;
      const { passage, sentences } = candidate;
      const verdict = verdictOf(read, { sentences, passages: [passage], asked: this.asked });
      if (verdict.supported) return { ...verdict, added: passage.number };
      if (verdict.contradiction !== undefined) contradicted ??= verdict;
    }
    return { ...(contradicted ?? UNSUPPORTED), added: null };
  }

  private weightsOf(read: ReadText): Map<string, number> {
    const rarity = (term: string): number =>
      Math.log(1 + this.candidates.length / (this.postings.get(term)?.size ?? 1));
    return new Map(Array.from(wordsOf(read), ([term, weight]) => [term, weight * rarity(term)]));
  }

  /** The share of the weights that each candidate has. Candidates without any are missing. */
  private coverage(
    weights: ReadonlyMap<string, number>,
    isCompared: (candidate: Candidate) => boolean = () => true,
  ): Map<Candidate, number> {
    let total = 0;
    const found = new Map<Candidate, number>();
    for (const [term, weight] of weights) {
      total += weight;
      for (const candidate of this.postings.get(term) ?? [])
        if (isCompared(candidate)) found.set(candidate, (found.get(candidate) ?? 0) + weight);
    }
    for (const [candidate, weight] of found) found.set(candidate, weight / total);
    return found;
  }

  /** Of a statement that merges two sentences, the one that has the words which the first lacks. */
  private complement(
    { sequence }: Candidate,
    weights: ReadonlyMap<string, number>,
    passages: readonly EvidencePassage[],
  ): { candidate: Candidate; covered: number } | null {
    const first = new Set(sequence);
    const rest = new Map([...weights].filter(([term]) => !first.has(term)));
    if (rest.size < MIN_REST) return null;
    const coverage = this.coverage(rest, ({ passage }) => passages.includes(passage));
    const [candidate] = bestOf(coverage);
    const covered = candidate === undefined ? 0 : (coverage.get(candidate) ?? 0);
    if (candidate === undefined || covered < COMPLETE) return null;
    return { candidate, covered: (covered * sum(rest.values())) / sum(weights.values()) };
  }
}

/** The content words of a statement without units, months and numbers in words, which are compared as quantities. */
function wordsOf({ content, quantities }: ReadText): Map<string, number> {
  const measured = new Set(analyze(quantities.map(({ text }) => text).join(' ')));
  return new Map([...content].filter(([term]) => !measured.has(term)));
}

/** Each sentence of a passage, alone and with the one after it. */
function candidatesOf(passage: EvidencePassage): Candidate[] {
  const { sentences, head } = passage;
  return sentences.flatMap((sentence, index) => {
    const next = sentences[index + 1];
    return [[sentence], ...(next === undefined ? [] : [[sentence, next]])].map((members) => ({
      passage,
      sentences: members,
      sequence: [...head.terms, ...members.flatMap(({ terms }) => terms)],
    }));
  });
}

function postingsOf(candidates: readonly Candidate[]): Postings {
  const postings = new Map<string, Set<Candidate>>();
  for (const candidate of candidates)
    for (const term of candidate.sequence) {
      const found = postings.get(term);
      if (found === undefined) postings.set(term, new Set([candidate]));
      else found.add(candidate);
    }
  return postings;
}

/** The candidates with the highest coverage. Two sentences count only if they have clearly more than one. */
function bestOf(coverage: ReadonlyMap<Candidate, number>): Candidate[] {
  const score = ([{ sentences }, covered]: readonly [Candidate, number]): number =>
    covered - SECOND_SENTENCE * (sentences.length - 1);
  const best = Math.max(0, ...Array.from(coverage, score));
  return [...coverage]
    .filter((entry) => score(entry) >= best - 1e-9)
    .slice(0, MAX_TIED)
    .map(([candidate]) => candidate);
}

/** What a statement is compared with: the sentences that have its words, and the passages that they are of. */
interface Compared {
  readonly sentences: readonly ReadText[];
  readonly passages: readonly EvidencePassage[];
  readonly asked: ReadonlySet<string>;
}

/** Compares names, numbers and negations of a statement with those of the sentences that have its words. */
function verdictOf(statement: ReadText, compared: Compared): Verdict {
  const { sentences, passages } = compared;
  if (hasOtherName(statement, compared)) return UNSUPPORTED;
  const findings = compareQuantities(
    statement.quantities,
    sentences.flatMap(({ quantities }) => quantities),
    () => passages.flatMap(({ quantities }) => quantities),
  );
  const sourceOf = (sentence: ReadText | undefined): Pick<Contradiction, 'number' | 'sentence'> => ({
    number: passages.find((passage) => sentence && passage.sentences.includes(sentence))?.number ?? 0,
    sentence: sentence?.text ?? '',
  });
  const different = findings.find(({ from }) => from !== undefined);
  if (different?.from !== undefined) {
    const { quantity, from } = different;
    const sentence = sentences.find(({ quantities }) => quantities.includes(from));
    const contradiction = {
      kind: 'number' as const,
      stated: quantity.text,
      found: from.text,
      ...sourceOf(sentence),
    };
    return { ...UNSUPPORTED, contradiction };
  }
  if (findings.some(({ state }) => state === 'missing')) return UNSUPPORTED;
  const denial = compareDenials(
    statement.denials,
    sentences.map(({ denials }) => denials),
  );
  if (denial === 'differs') {
    const sentence = sentences.find(({ denials }) => denials.heads.length > 0) ?? sentences[0];
    const source = sourceOf(sentence);
    return {
      ...UNSUPPORTED,
      contradiction: { kind: 'negation', stated: statement.text, found: source.sentence, ...source },
    };
  }
  if (denial === 'missing') return UNSUPPORTED;
  const calculated = findings
    .filter(({ state }) => state === 'calculated')
    .map(({ quantity }) => quantity.text);
  return { supported: true, calculated };
}

/**
 * Whether a statement has a name that the sentences do not have. A name that the passage has elsewhere is right if they have no
 * other in its place: "it" stands there. A word at the start of a sentence may be a name, and is one if theirs may be, too.
 */
function hasOtherName(statement: ReadText, { sentences, passages, asked }: Compared): boolean {
  const { certain, possible } = statement.names;
  const near = new Set([
    ...passages.flatMap(({ head }) => head.terms),
    ...sentences.flatMap(({ terms }) => terms),
  ]);
  const isMissing = (term: string): boolean => !asked.has(term) && !hasForm(near, term);
  const missing = [...certain].filter(isMissing);
  const doubtful = [...possible].filter(isMissing);
  const own = new Set(statement.terms);
  const isNew = hasNewWord(statement.text, (pair) => passages.some(({ terms }) => terms.has(pair)));
  if (isNew && sentences.some(({ text }) => hasNewWord(text, (pair) => own.has(pair)))) return true;
  if (missing.length + doubtful.length === 0) return false;
  const others = [...statement.content.keys()].filter(
    (term) => !missing.includes(term) && !doubtful.includes(term),
  );
  const rest = others.filter((term) => near.has(term)).length / Math.max(1, others.length);
  if (rest < MOSTLY) return false;
  const isAnywhere = (term: string): boolean => passages.some(({ terms }) => hasForm(terms, term));
  const isOther = (term: string): boolean => !hasForm(own, term);
  const hasOther = sentences.some(({ names }) => [...names.certain].some(isOther));
  if (missing.some((term) => !isAnywhere(term))) return true;
  if (missing.length > 0 && hasOther) return true;
  const isLower = (term: string): boolean =>
    asked.has(term) || passages.some(({ lowerTerms }) => lowerTerms.has(term));
  const mayHaveOther =
    hasOther ||
    sentences.some(({ names }) => [...names.possible].some((term) => isOther(term) && !isLower(term)));
  return mayHaveOther && doubtful.some((term) => !isAnywhere(term));
}

/** Whether terms have one, or one that begins with it, or with which it begins: Bergen, Bergener. */
function hasForm(terms: ReadonlySet<string>, term: string): boolean {
  if (terms.has(term)) return true;
  if (term.length < 4) return false;
  for (const other of terms)
    if (other.length > 3 && (other.startsWith(term) || term.startsWith(other))) return true;
  return false;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
