const CJK_TERM = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const FIRST_CJK = 0x1100;

/** Whether a term is a bigram of Chinese, Japanese or Korean characters, or a single one. */
export function isCjkTerm(term: string): boolean {
  return term.charCodeAt(0) >= FIRST_CJK && CJK_TERM.test(term);
}
