import { formula } from '../document/formula-notation.js';
import type { HtmlElement } from './html-tree.js';

const TEX_WRAPPER = /^\{\\(?:displaystyle|textstyle)\s(.*)\}$/s;
/** Operators without a sign: function application, times, separator, plus. */
const INVISIBLE_OPERATOR = /[\u2061-\u2064]/g;
/** Accents above or below a letter, of which only the letter is read. */
const ACCENT = /^[^\p{L}\p{N}∞…]?$/u;
const LARGE_OPERATOR = /^[∏-∑∫-∳⋀-⋃⨀-⨌]$/u;

/** Whether a script has the TeX source of a formula, as MathJax expects. */
export function isFormulaScript({ name, attributes }: HtmlElement): boolean {
  return name === 'script' && /^math\/(?:tex|asciimath)/.test(attributes.get('type') ?? '');
}

/** The source of a formula if the page has it, else what it shows, on one line. */
export function formulaText(element: HtmlElement): string {
  const source = isFormulaScript(element)
    ? element.rawText
    : (annotationIn(element)?.rawText ?? element.attribute('alttext') ?? partText(element));
  return texOf(source);
}

/** The TeX source that MathJax gives for a formula without MathML. */
export function texOfContainer(container: HtmlElement): string | undefined {
  return elementsOf(container)
    .map((child) => child.attribute('data-latex'))
    .find((source) => source !== undefined);
}

/** Whether MathJax 2 shows or previews in an element the formula of the script that follows it. */
export function showsFormula({ attributes }: HtmlElement): boolean {
  return attributes.get('class')?.startsWith('MathJax') ?? false;
}

/** TeX without the wrapper that Wikipedia adds. */
export function texOf(source: string): string {
  const text = source.trim();
  return TEX_WRAPPER.exec(text)?.[1] ?? text;
}

/** Whether an element is a formula, or contains one and hardly anything else. */
export function holdsFormula(element: HtmlElement): boolean {
  if (element.name === 'math') return true;
  return element.children.length <= 3 && elementsOf(element).some(holdsFormula);
}

function annotationIn(element: HtmlElement): HtmlElement | undefined {
  for (const child of elementsOf(element)) {
    const isSource = /tex/i.test(child.attribute('encoding') ?? '');
    const found = isSource ? child : annotationIn(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Formats a part of a formula in MathML (MathML Core, 3). */
function partText(element: HtmlElement): string {
  const parts = elementsOf(element);
  const arg = (index: number): string => {
    const part = parts[index];
    return part === undefined ? '' : partText(part);
  };
  switch (element.name) {
    case 'mi':
    case 'mn':
    case 'mo':
    case 'ms':
      return element.rawText.trim().replace(INVISIBLE_OPERATOR, '');
    case 'mtext':
      return element.rawText.replace(/\s+/g, ' ');
    case 'mspace':
      return ' ';
    case 'mfrac':
      return formula.fraction(arg(0), arg(1));
    case 'msqrt':
      return formula.root(rowText(parts));
    case 'mroot':
      return formula.root(arg(0), arg(1));
    case 'msup':
      return formula.scripts(arg(0), '', arg(1));
    case 'msub':
      return formula.scripts(arg(0), arg(1), '');
    case 'mover':
      return formula.scripts(arg(0), '', withoutAccent(arg(1)));
    case 'munder':
      return formula.scripts(arg(0), withoutAccent(arg(1)), '');
    case 'msubsup':
    case 'munderover':
      return formula.scripts(arg(0), arg(1), arg(2));
    case 'mtable':
      return formula.matrix(parts.map((row) => elementsOf(row).map(partText)));
    case 'annotation':
    case 'annotation-xml':
    case 'mphantom':
      return '';
    default:
      return rowText(parts);
  }
}

/** Parts beside each other. Names of several letters, such as `sin`, and sums are separated from what follows. */
function rowText(parts: readonly HtmlElement[]): string {
  let row = '';
  for (const part of parts) {
    const text = partText(part);
    const previous = row.slice(-2);
    const isAfterName = /^\p{L}{2}$/u.test(previous) && /^[\p{L}\p{N}]/u.test(text);
    row += isAfterName ? ` ${text}` : text;
    const operator = elementsOf(part)[0]?.rawText.trim() ?? '';
    if (/^m(?:under|over|sub|sup)/.test(part.name) && LARGE_OPERATOR.test(operator)) row += ' ';
  }
  return row.trim();
}

function withoutAccent(text: string): string {
  return ACCENT.test(text) ? '' : text;
}

function elementsOf(element: HtmlElement): HtmlElement[] {
  return element.children.filter((child): child is HtmlElement => typeof child !== 'string');
}
