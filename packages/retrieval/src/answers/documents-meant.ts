import { analyze } from '../analysis/analyzer.js';
import { type DocumentNames, searchableNames } from '../names/searchable-names.js';
import type { WholeDocumentQuestion } from './whole-document-question.js';

/** Names of kinds of documents that mean the same in other languages: "Summarize the handbook" means `Handbuch.pdf`. */
const SAME_KINDS = [
  'handbook manual handbuch manuel 手册 手冊 マニュアル',
  'minutes protokoll compte-rendu procès-verbal acta 纪要 紀要 議事録',
  'invoice rechnung facture factura 发票 發票 請求書',
  'guide leitfaden guía 指南 ガイド',
  'offer angebot devis oferta presupuesto 报价 報價 見積書',
  'statutes bylaws satzung statuts estatutos 章程 定款',
].map((row) => row.split(' '));

/** A shorter word is not looked for inside of other words, except a Chinese, Japanese or Korean one. */
const MIN_PART = 5;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Returns the documents that a question about whole documents means, by their names: those that have its words, or parts of
 * them where it names several. All, if the question has no word that any document has in its name. Null if the question has
 * words that no document has: then it is about something else.
 */
export function documentsMeant<D extends DocumentNames>(
  { kinds, names }: WholeDocumentQuestion,
  documents: readonly D[],
): D[] | null {
  const named = documents.map((document) => ({ document, ...matcherOf(document) }));
  if (names.length > 0) {
    const found = named.map(({ document, has }) => ({ document, has, words: new Set(names.filter(has)) }));
    if (!names.every((name) => found.some(({ words }) => words.has(name)))) return null;
    const meant = found.filter(
      ({ words }) =>
        words.size > 0 &&
        !found.some(
          (other) => other.words.size > words.size && [...words].every((word) => other.words.has(word)),
        ),
    );
    return ofKinds(kinds, meant);
  }
  return ofKinds(kinds, named);
}

/** Those that have the most of the kinds in their names; all if none has any. */
function ofKinds<D>(
  kinds: readonly string[],
  candidates: readonly { document: D; has: (word: string) => boolean }[],
): D[] {
  const counted = candidates.map(({ document, has }) => ({ document, count: kinds.filter(has).length }));
  const most = Math.max(0, ...counted.map(({ count }) => count));
  return counted.filter(({ count }) => count === most).map(({ document }) => document);
}

/** Compares words with the names of a document: their stems, their parts in compounds, and the extension of a file. */
function matcherOf(document: DocumentNames): { has: (word: string) => boolean } {
  const text = `${searchableNames(document)} ${document.name}`;
  const folded = text.normalize('NFKC').toLowerCase();
  const terms = new Set(analyze(text));
  const hasWord = (word: string): boolean => {
    const own = analyze(word);
    if (own.length > 0 && own.every((term) => terms.has(term))) return true;
    return (word.length >= MIN_PART || CJK.test(word)) && folded.includes(word);
  };
  return { has: (word) => hasWord(word) || (sameKinds(word)?.some(hasWord) ?? false) };
}

function sameKinds(word: string): readonly string[] | undefined {
  return SAME_KINDS.find((kinds) => kinds.some((kind) => word === kind || word === `${kind}s`));
}
