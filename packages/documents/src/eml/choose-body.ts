/** Which of two alternatives of a body are read. The rest is not lost: its words are in the chosen one. */
export type ChosenBody = 'plain' | 'html' | 'both' | 'html without a notice';

/** A text with almost all words of the other one is as rich. Forms of a word differ where lines were broken. */
const MIN_SHARED = 0.9;
/** A plain text with more words of its own than this is read, too. */
const MAX_OWN_WORDS = 0.2;
const MAX_NOTICE_WORDS = 60;
const URL = /\b(?:https?:\/\/|www\.)\S+|\bcid:\S+/gi;
/** Such as "use a program that can show HTML", which mail clients show to nobody. */
const NOTICE =
  /\bhtml\b|browser|navegador|navigateur|\be-?mail[- ]?(?:client|program|reader|app)|multi-?part|view this|online[- ]version|plain[- ]text/i;

/** Compares the plain text of a message with the text of its HTML. */
export function chooseBody(plain: string, html: string): ChosenBody {
  const [plainWords, htmlWords] = [wordsOf(plain), wordsOf(html)];
  if (htmlWords.size === 0) return 'plain';
  if (plainWords.size === 0) return 'html';
  if (1 - ownShare(htmlWords, plainWords) >= MIN_SHARED) return 'plain';
  if (ownShare(plainWords, htmlWords) <= MAX_OWN_WORDS) return 'html';
  const isNotice = NOTICE.test(plain) && plainWords.size <= MAX_NOTICE_WORDS;
  return isNotice ? 'html without a notice' : 'both';
}

/** The share of words that only the first text has. */
function ownShare(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let own = 0;
  for (const word of words) if (!others.has(word)) own += 1;
  return own / words.size;
}

/** Words, and single characters of scripts that do not separate words. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = text
    .replace(URL, ' ')
    .toLowerCase()
    .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu);
  return new Set(words ?? []);
}
