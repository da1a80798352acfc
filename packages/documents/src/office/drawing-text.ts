import { singleLine } from '../document/canonical-text.js';
import {
  childElements,
  descendant,
  descendants,
  isOn,
  textContent,
  type XmlElement,
} from '../xml/xml-tree.js';
import { mathText } from './math-text.js';
import { formatNumber } from './number-text.js';
import { RunText } from './run-text.js';
import { isSymbolFont, symbolText } from './symbol-fonts.js';

/** The text of all paragraphs of DrawingML (ECMA-376 Part 1, 21.1.2) on one line. */
export function drawingText(element: XmlElement): string {
  return singleLine([...descendants(element, 'p')].map(runsText).join(' '));
}

/** Whether a shape or group of a drawing is not shown. */
export function isHiddenShape(shape: XmlElement): boolean {
  const properties = childElements(shape).find(({ name }) => /^nv\w*Pr$/.test(name));
  return isOn(descendant(properties, 'cNvPr')?.attributes['hidden'] ?? '0');
}

/** Whether a run is struck out (21.1.2.3.9). Its text is not read. */
function isStruck(run: XmlElement): boolean {
  const { strike = 'noStrike' } = descendant(run, 'rPr')?.attributes ?? {};
  return strike !== 'noStrike';
}

/** The text of the runs that are struck out, to count it. */
export function struckText(element: XmlElement): string {
  return [...descendants(element, 'r')].filter(isStruck).map(textContent).join(' ');
}

/** The characters that the symbol font of a run applies to. */
const PRIVATE = /[\uf020-\uf0ff]/g;

/** Paragraphs of a text body (21.1.2); list items are indented by level and numbered if the list is. */
export function drawingParagraphs(body: XmlElement): string[] {
  const counters: { readonly scheme: string; readonly number: number }[] = [];
  return childElements(body, 'p').map((paragraph) => {
    const properties = descendant(paragraph, 'pPr');
    const depth = Math.min(8, Math.max(0, Number(properties?.attributes['lvl'] ?? 0) || 0));
    const numbering = descendant(properties, 'buAutoNum');
    const text = runsText(paragraph).trim();
    const isShown = text !== '' || struckText(paragraph) !== '';
    if (!isShown) return '';
    counters.length = Math.min(counters.length, numbering === undefined ? depth : depth + 1);
    const { type: scheme = 'arabicPeriod', startAt = '1' } = numbering?.attributes ?? {};
    const last = counters[depth];
    const number = last?.scheme === scheme ? last.number + 1 : Number(startAt) || 1;
    if (numbering !== undefined) counters[depth] = { scheme, number };
    if (text === '') return '';
    return `${'  '.repeat(depth)}${numbering === undefined ? '' : `${numberOf(number, scheme)} `}${text}`;
  });
}

/** Number systems by the beginning of a scheme of automatic numbers (20.1.10.61). */
const SCHEMES = [
  ['alphaLc', 'lowerLetter'],
  ['alphaUc', 'upperLetter'],
  ['romanLc', 'lowerRoman'],
  ['romanUc', 'upperRoman'],
  ['circleNum', 'decimalEnclosedCircle'],
  ['ea1Ch', 'chineseCounting'],
  ['ea1Jpn', 'japaneseCounting'],
  ['thaiAlpha', 'thaiLetters'],
] as const;

/** An automatic number, such as `(a)` for the scheme `alphaLcParenBoth`. */
function numberOf(value: number, scheme: string): string {
  const [, system = 'decimal'] = SCHEMES.find(([start]) => scheme.startsWith(start)) ?? [];
  const number = formatNumber(value, system);
  if (scheme.endsWith('ParenBoth')) return `(${number})`;
  if (scheme.endsWith('ParenR')) return `${number})`;
  return scheme.endsWith('Period') ? `${number}.` : number;
}

function runsText(paragraph: XmlElement): string {
  const text = new RunText();
  for (const run of childElements(paragraph)) {
    const { baseline = 0 } = descendant(run, 'rPr')?.attributes ?? {};
    text.add(runText(run), Number(baseline) > 0);
  }
  return text.take();
}

function runText(run: XmlElement): string {
  if (isStruck(run)) return '';
  if (run.name === 'br') return '\n';
  const equations = [...descendants(run, 'oMath')];
  if (equations.length > 0) return equations.map(mathText).join(' ');
  const text = [...descendants(run, 't')].map(textContent).join('');
  const properties = descendant(run, 'rPr');
  const fontOf = (name: string): string | undefined => descendant(properties, name)?.attributes['typeface'];
  const [font, symbolFont] = [fontOf('latin'), fontOf('sym')];
  if (isSymbolFont(font)) return symbolText(text, font);
  return isSymbolFont(symbolFont) ? text.replace(PRIVATE, (sign) => symbolText(sign, symbolFont)) : text;
}
