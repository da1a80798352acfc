import { safeCut } from './safe-cut.js';
import { terminalText } from './terminal-text.js';

/** CR LF, CR and the other characters that Unicode defines as mandatory breaks (UAX #14: BK, CR, NL). */
const LINE_BREAKS = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;

/** Control characters (Unicode category Cc) except tab and LF. */
const CONTROLS = /[^\P{Cc}\t\n]/gu;

/** Radicals and compatibility ideographs, which look like the ordinary characters that people type and search. */
const LOOKALIKE_IDEOGRAPHS = /[\u2e80-\u2fd5\uf900-\ufad9]/g;

/** Each radical without a normal form, followed by its ideograph (Unicode, EquivalentUnifiedIdeograph). */
const RADICALS =
  '⺁厂⺂乛⺃乚⺄乙⺅亻⺆冂⺈刀⺉刂⺊卜⺋㔾⺌小⺍小⺎兀⺏尣⺐尢⺒巳⺓幺⺔彑⺕彐⺖忄⺗心⺘扌⺙攵⺛旡⺜日⺝月⺞歺⺟母⺠民⺡氵⺢氺⺣灬⺤爫⺥爫⺦丬⺧牛⺨犭⺩王⺫目⺬示⺭礻⺯糹⺰纟⺱罓⺲罒⺳㓁⺴冗⺶羊⺹耂⺺肀⺻聿⺼肉⺾艹⺿艹⻀艹⻁虎⻂衤⻃覀⻄西⻅见⻆角⻈讠⻉贝⻋车⻌辶⻍辶⻎辶⻏邑⻐钅⻑長⻒镸⻓长⻔门⻖阝⻗雨⻘青⻙韦⻚页⻛风⻜飞⻝食⻟飠⻠饣⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧卤⻨麦⻩黄⻪黾⻫斉⻬齐⻭歯⻮齿⻯竜⻰龙⻱龜⻲亀⻳龟';

/**
 * Normalizes a text: well-formed Unicode, LF as the only line break, no other control characters except tabs, and
 * ordinary ideographs. Codes for terminals and printers are carried out. Call it with a whole block, so that no surrogate
 * pair is split.
 */
export function canonicalText(text: string): string {
  return inPieces(terminalText(text), (piece) =>
    piece
      .toWellFormed()
      .replace(LINE_BREAKS, '\n')
      .replace(CONTROLS, '')
      .replace(LOOKALIKE_IDEOGRAPHS, ordinaryIdeograph),
  );
}

function ordinaryIdeograph(character: string): string {
  const radical = RADICALS.indexOf(character);
  return radical >= 0 ? RADICALS.charAt(radical + 1) : character.normalize('NFKC');
}

/** Canonical text on one line, with runs of white space collapsed. For titles, headings and table cells. */
export function singleLine(text: string): string {
  return collapseSpace(canonicalText(text)).trim();
}

/** Replaces runs of white space by one space. Single spaces, the most frequent ones, are not touched. */
export function collapseSpace(text: string): string {
  return inPieces(terminalText(text), (piece) => piece.replace(/[^\S ]\s*| \s+/g, ' '));
}

/** V8 keeps a list of all matches and copies of a text that it replaces in, so large texts are divided. */
const PIECE_CHARACTERS = 1024 * 1024;

/**
 * Applies a replacement that depends only on a character and on white space beside it. A text of 50 MB then takes as
 * much memory as its result, and not several times as much.
 */
export function inPieces(text: string, replace: (piece: string) => string): string {
  if (text.length <= PIECE_CHARACTERS) return replace(text);
  const pieces: string[] = [];
  let isChanged = false;
  for (let start = 0; start < text.length;) {
    const end = pieceEnd(text, start + PIECE_CHARACTERS);
    const piece = text.slice(start, end);
    const replaced = replace(piece);
    isChanged ||= replaced !== piece;
    pieces.push(replaced);
    start = end;
  }
  return isChanged ? pieces.join('') : text;
}

/** The next offset that is neither inside of white space nor of a character. */
function pieceEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) if (!SPACE_OR_SURROGATE.test(text.charAt(at))) return at;
  return text.length;
}

const SPACE_OR_SURROGATE = /[\s\u0085\ud800-\udfff]/;

/**
 * UTF-16 code units. Each chunk carries the titles above it: a heading of 1 MB would be stored many times.
 */
const MAX_TITLE_CHARACTERS = 300;

/**
 * Truncates a title or heading to 300 characters, with an ellipsis, for use in paths and as a document title.
 *
 * @param line a single line, see {@link singleLine}
 */
export function shortTitle(line: string): string {
  if (line.length <= MAX_TITLE_CHARACTERS) return line;
  return `${line.slice(0, safeCut(line, 0, MAX_TITLE_CHARACTERS - 1)).trimEnd()}…`;
}

/** Removes blank lines at both ends and keeps the indentation of the first line, for code. */
export function trimBlankLines(text: string): string {
  let start = 0;
  for (let index = 0; index < text.length && /\s/.test(text.charAt(index)); index += 1) {
    if (text.charAt(index) === '\n') start = index + 1;
    if (index === text.length - 1) return '';
  }
  return text.slice(start).trimEnd();
}

/** Formats a reviewer's comment: `[Comment by author, date] text`; `''` when its text is blank. */
export function commentText(comment: {
  author?: string | undefined;
  date?: string | undefined;
  text: string;
}): string {
  const { author = '', date = '', text } = comment;
  if (text.trim() === '') return '';
  const by = [author.trim(), date.trim()].filter((part) => part !== '').join(', ');
  return by === '' ? `[Comment] ${text.trim()}` : `[Comment by ${by}] ${text.trim()}`;
}

const EXPONENT = /^[+−–-]?(?:\d{1,4}|[ijknxy])$/;
/** The end of a text that can have an exponent: a number, a variable, a unit or a closing bracket. */
const BASE_END = /[\p{L}\p{N})\]]$/u;

/**
 * Whether raised text is an exponent: without a sign for it, `10⁶` would read `106`. Ordinals (`1st`) and trademarks are not.
 *
 * @param before the text before it
 */
export function isExponent(raised: string, before: string): boolean {
  return EXPONENT.test(raised) && BASE_END.test(before);
}

/** Raised text as it is written on one line: `^6` for an exponent. */
export function raisedText(raised: string, before: string): string {
  const text = raised.trim();
  return isExponent(text, before) ? raised.replace(text, () => `^${text}`) : raised;
}

const MAX_EXCERPT_CHARACTERS = 80;

/** The first words of a text, in one line. */
export function excerpt(text: string): string {
  const line = singleLine(text);
  return line.length <= MAX_EXCERPT_CHARACTERS
    ? line
    : `${line.slice(0, safeCut(line, 0, MAX_EXCERPT_CHARACTERS))}…`;
}
