// Measures whether the product recognises sentences that the passages which they cite do not support:
//
//   node dist/answer-support.bench.js [--attribution <set.jsonl>] [--xquad <folder> --language en ...] [--half odd|even|all] [--failures]
//
// `--attribution` is a file of AttributionBench (Li et al. 2024, arXiv:2402.15089): sentences of answers and what they cite, judged
// by people. Beside the product, it measures the share of words alone. `--xquad` makes sentences from paragraphs: some say the same in another form,
// in others, a number, a negation or a name is changed. Rules were chosen on the odd items of each, so the even ones are the default.
// With --failures, prints the made sentences that are judged wrongly.
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { alignStatements, analyze, AnalyzedQuestion, seededRandom } from '@citewell/retrieval';
import { loadXquad } from './test-collections.js';

const { values } = parseArgs({
  options: {
    attribution: { type: 'string' },
    xquad: { type: 'string' },
    language: { type: 'string', multiple: true, default: ['en', 'de', 'zh'] },
    half: { type: 'string', default: 'even' },
    failures: { type: 'boolean', default: false },
  },
});

/** One pair of AttributionBench. */
interface Pair {
  readonly question: string;
  readonly claim: string;
  readonly references: readonly string[];
  readonly attribution_label: 'attributable' | 'not attributable';
  readonly src_dataset: string;
}

interface Judged {
  readonly set: string;
  readonly isSupported: boolean;
  /** By the product, and by the share of words. */
  readonly product: boolean;
  readonly words: number;
}

/** A sentence made from a paragraph, or null if the paragraph's sentence does not have what is changed. */
type Change = (sentence: Made) => string | null;

interface Made {
  readonly text: string;
  readonly next: string;
  /** The paragraph. */
  readonly passage: string;
  /** Names that other paragraphs have. */
  readonly names: readonly string[];
  readonly random: () => number;
}

const HAN = /\p{Script=Han}/u;
const CITATION = /\s*\[\d{1,4}\]/g;
/** Made sentences for each kind and language. */
const PER_KIND = 80;

const isMeasured = (index: number): boolean =>
  values.half === 'all' || index % 2 === (values.half === 'odd' ? 1 : 0);

async function measurePairs(file: string): Promise<void> {
  const pairs = (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Pair);
  const judged = pairs.map(judge);
  const chosen = judged.filter((_, index) => isMeasured(index));
  // The threshold of the baseline is the best one for the other half.
  const others = values.half === 'all' ? judged : judged.filter((_, index) => !isMeasured(index));
  const thresholds = Array.from({ length: 51 }, (_, n) => n / 50);
  const best = thresholds.reduce((top, threshold) =>
    macroF1(others, ({ words }) => words >= threshold) > macroF1(others, ({ words }) => words >= top)
      ? threshold
      : top,
  );
  console.log(`${chosen.length} pairs; words alone: share ${best}`);
  console.table({
    'words alone': rowOf(chosen, ({ words }) => words >= best),
    product: rowOf(chosen, ({ product }) => product),
  });
}

function judge({ question, claim, references, attribution_label, src_dataset }: Pair): Judged {
  const asked = [new AnalyzedQuestion(question)];
  const passages = references.map((text) => ({ text }));
  const marks = references.map((_, index) => `[${index + 1}]`).join('');
  let answer = claim.replaceAll(CITATION, '');
  const terms = new Set(analyze(answer));
  const known = new Set(references.flatMap((text) => analyze(text)));
  // Every sentence of the claim cites all references.
  for (const { end } of (alignStatements(asked, answer, [{ text: answer }]) ?? []).toReversed())
    answer = `${answer.slice(0, end)} ${marks}${answer.slice(end)}`;
  return {
    set: src_dataset,
    isSupported: attribution_label === 'attributable',
    product: (alignStatements(asked, answer, passages) ?? []).every(({ supported }) => supported),
    words: [...terms].filter((term) => known.has(term)).length / Math.max(1, terms.size),
  };
}

function rowOf(judged: readonly Judged[], predict: (one: Judged) => boolean): Record<string, string> {
  const sets = [...new Set(judged.map(({ set }) => set))].toSorted();
  const bySet = sets.map((set) =>
    macroF1(
      judged.filter((one) => one.set === set),
      predict,
    ),
  );
  const unsupported = measuresOf(judged, predict, false);
  return {
    precision: share(unsupported.precision),
    recall: share(unsupported.recall),
    'macro-F1': share(macroF1(judged, predict)),
    'mean of sets': share(bySet.reduce((sum, value) => sum + value, 0) / bySet.length),
    ...Object.fromEntries(sets.map((set, index) => [set, share(bySet[index] ?? 0)])),
  };
}

function macroF1(judged: readonly Judged[], predict: (one: Judged) => boolean): number {
  return (measuresOf(judged, predict, true).f1 + measuresOf(judged, predict, false).f1) / 2;
}

/** Of the class of supported or of not supported sentences. */
function measuresOf(
  judged: readonly Judged[],
  predict: (one: Judged) => boolean,
  wanted: boolean,
): { precision: number; recall: number; f1: number } {
  const predicted = judged.filter((one) => predict(one) === wanted);
  const right = predicted.filter(({ isSupported }) => isSupported === wanted).length;
  const all = judged.filter(({ isSupported }) => isSupported === wanted).length;
  return {
    precision: right / Math.max(1, predicted.length),
    recall: right / Math.max(1, all),
    f1: (2 * right) / Math.max(1, predicted.length + all),
  };
}

/** The same in another form: nothing may be marked. */
const TRUE: Readonly<Record<string, Change>> = {
  verbatim: ({ text }) => text,
  shortened: ({ text }) => {
    const short = text.replace(/ ?[(（][^)）]*[)）]/, '').replace(/(?:, |，)[^,，]*([.。])$/, '$1');
    return short !== text && short.length > 30 ? short : null;
  },
  reordered: ({ text }) => {
    const [, first, last, end] = /^([^,，]{15,})(?:, |，)([^,，]{15,})([.。])$/.exec(text) ?? [];
    return first === undefined ? null : `${last}${end === '。' ? '，' : ', '}${first}${end}`;
  },
  inflected: ({ text }) => {
    const other = text
      .replace(/\bwas\b/g, 'is')
      .replace(/\bwere\b/g, 'are')
      .replace(/\b(the \p{Ll}{4,}[^s\W])(?= (?:of|in|and|to)\b)/gu, '$1s')
      .replace(/\bwurde\b/g, 'wird')
      .replace(/\bwar\b/g, 'ist')
      .replace(/(?<=\p{Ll}{3}ung)(?= )/gu, 'en');
    return other === text ? null : other;
  },
  merged: ({ text, next }) =>
    next === '' ? null : `${text.slice(0, -1)}${text.endsWith('。') ? '，并且' : '; '}${next}`,
};

/** Each differs in one thing from what the paragraph says. */
const CHANGED: Readonly<Record<string, Change>> = {
  number: ({ text, passage, random }) => {
    const number = /(?<![\p{L}\p{Nd}.,])\p{Nd}+(?![\p{L}\p{Nd}]|[.,]\p{Nd})/u.exec(text);
    if (number === null) return null;
    const other = String(Number(number[0]) + 3 + Math.floor(9 * random()));
    return passage.includes(other) ? null : replaceAt(text, number.index, number[0], other);
  },
  negation: ({ text }) => {
    const pairs: [RegExp, string][] = [
      [/ (?:not|nicht)(?= )/, ''],
      [/\b(?<verb>is|are|was|were|can|will|could|would|should|must)(?= (?!not|no\b|also|to))/, '$<verb> not'],
      [/ (?<noun>eine?) /, ' k$<noun> '],
      [/不(?=是|能|会|可|同意|需)/, ''],
      [/(?<!不|也|就|还|还|于|都|但|只|总|若|凡|或|正)(?<verb>是|可以|能够|包括|需要)/, '不$<verb>'],
    ];
    for (const [pattern, other] of pairs) if (pattern.test(text)) return text.replace(pattern, other);
    return null;
  },
  name: ({ text, passage, names, random }) => {
    const own = names.filter((name) => text.slice(1).includes(name));
    const name = own[Math.floor(own.length * random())];
    const free = names.filter(
      (other) => !passage.includes(other) && HAN.test(other) === HAN.test(name ?? ''),
    );
    const other = free[Math.floor(free.length * random())];
    return name === undefined || other === undefined
      ? null
      : replaceAt(text, text.lastIndexOf(name), name, other);
  },
};

async function measureMade(folder: string, language: string): Promise<Record<string, string>> {
  const { documents } = await loadXquad(folder, language);
  const english = (await loadXquad(folder, 'en')).documents;
  const random = seededRandom(7);
  const sentences = [...documents].flatMap(([id, passage]) => {
    const parts = Array.from(
      new Intl.Segmenter(language, { granularity: 'sentence' }).segment(passage),
      ({ segment }) => segment.trim(),
    ).filter((text) => /[.。]$/.test(text) && !/[[\]\n]/.test(text));
    return parts.map((text, index) => ({ id, text, next: parts[index + 1] ?? '', passage }));
  });
  const names = [...new Set([...documents].flatMap(([id, text]) => namesOf(text, english.get(id) ?? '')))];
  const row: Record<string, string> = {};
  for (const [group, changes] of Object.entries({ true: TRUE, changed: CHANGED })) {
    let marked = 0;
    let total = 0;
    for (const [kind, change] of Object.entries(changes)) {
      const made = sentences
        .filter(({ text }) => text.length < 300)
        .map((sentence) => ({ ...sentence, made: change({ ...sentence, names, random }) }))
        .filter(({ made: text }) => text !== null)
        .filter((_, index, all) => index % Math.max(1, Math.floor(all.length / PER_KIND)) === 0)
        .slice(0, PER_KIND)
        .filter((_, index) => isMeasured(index));
      const wrong = made.filter(({ made: text, passage }) => isMarked(`${text} [1]`, passage));
      row[kind] = `${wrong.length}/${made.length}`;
      marked += wrong.length;
      total += made.length;
      if (values.failures)
        for (const one of made.filter((each) => wrong.includes(each) === (group === 'true')))
          console.log(language, kind, '|', one.made, '|', one.text);
    }
    row[group] = share(marked / total);
  }
  return row;
}

/** Is replaced in the product by a quote. */
function isMarked(answer: string, text: string): boolean {
  return (alignStatements([], answer, [{ text }]) ?? []).some(({ supported }) => !supported);
}

/** Capitalised words that the English text of the paragraph has, too, and Chinese names with a point between their parts. */
function namesOf(text: string, english: string): string[] {
  const inside = new Set(english.match(/(?<=\p{Ll},? )\p{Lu}\p{Ll}{3,}/gu) ?? []);
  const latin = text.match(/(?<=\p{Ll},? )\p{Lu}\p{Ll}{3,}/gu) ?? [];
  return [
    ...latin.filter((name) => inside.has(name)),
    ...(text.match(/\p{Script=Han}{2,4}·\p{Script=Han}{2,5}/gu) ?? []),
  ];
}

function replaceAt(text: string, index: number, old: string, other: string): string {
  return text.slice(0, index) + other + text.slice(index + old.length);
}

function share(value: number): string {
  return value.toFixed(3);
}

if (values.attribution !== undefined) await measurePairs(values.attribution);
if (values.xquad !== undefined) {
  const rows: Record<string, Record<string, string>> = {};
  for (const language of values.language) rows[language] = await measureMade(values.xquad, language);
  console.log('marked sentences, of those that are true and of those that are changed');
  console.table(rows);
}
