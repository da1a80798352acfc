import { formula } from '../document/formula-notation.js';
import type { HtmlElement } from './html-tree.js';

const TEX_WRAPPER = /^\{\\(?:displaystyle|textstyle)\s(.*)\}$/s;
/** Such as `application/x-tex` and `TeX`, and not `text/plain`. */
const TEX_ENCODING = /^\s*(?:\w+\/)?(?:x-)?(?:la)?tex\s*$/i;
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
    : annotationIn(element)?.rawText || element.attribute('alttext') || partText(element);
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
    const isSource = TEX_ENCODING.test(child.attribute('encoding') ?? '');
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
      // Without a line, a fraction is a binomial coefficient.
      return Number.parseFloat(element.attribute('linethickness') ?? '') === 0
        ? `binom(${arg(0)}, ${arg(1)})`
        : formula.fraction(arg(0), arg(1));
    case 'mfenced':
      return fenced(element, parts);
    case 'mmultiscripts':
      return multiscripts(parts);
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

/** The end of a name such as `sin`, of a denominator or a script: letters and digits after it would belong to it. */
const OPEN_OPERAND = /(?:\p{L}{2}|[/^_][\p{L}\p{N}.]+)$/u;
/** A fraction, a root or a script that would take the letter or digit before it. */
const TAKES_OPERAND = /^(?:\p{N}[\p{L}\p{N}.]*[/√]|[_^])/u;

/** Parts beside each other, with a space where two of them would read as one, and after sums. */
function rowText(parts: readonly HtmlElement[]): string {
  let previous = '';
  const texts = parts.map((part) => {
    const text = partText(part);
    const isApart =
      (OPEN_OPERAND.test(previous) && /^[\p{L}\p{N}]/u.test(text)) ||
      (/[\p{L}\p{N})]$/u.test(previous) && TAKES_OPERAND.test(text));
    const operator = elementsOf(part)[0]?.rawText.trim() ?? '';
    const isSum = /^m(?:under|over|sub|sup)/.test(part.name) && LARGE_OPERATOR.test(operator);
    const shown = `${text}${isSum ? ' ' : ''}`;
    previous = shown || previous;
    return `${isApart ? ' ' : ''}${shown}`;
  });
  return texts.join('').trim();
}

/** An expression in parentheses, or what else the attributes say. */
function fenced(element: HtmlElement, parts: readonly HtmlElement[]): string {
  const separators = [...(element.attribute('separators') ?? ',').replace(/\s+/g, '')];
  const inner = parts.map((part, index) => {
    const separator = index === 0 ? '' : (separators[index - 1] ?? separators.at(-1) ?? '');
    return `${separator}${partText(part)}`;
  });
  return `${element.attribute('open') ?? '('}${inner.join('')}${element.attribute('close') ?? ')'}`;
}

/** A base, pairs of scripts behind it, and those before it. */
function multiscripts([base, ...scripts]: readonly HtmlElement[]): string {
  const split = scripts.findIndex(({ name }) => name === 'mprescripts');
  const end = split < 0 ? scripts.length : split;
  const texts = scripts.map((part, index) => {
    const isBelow = (index > end ? index - end - 1 : index) % 2 === 0;
    return isBelow ? formula.scripts('', partText(part), '') : formula.scripts('', '', partText(part));
  });
  return [...texts.slice(end), base === undefined ? '' : partText(base), ...texts.slice(0, end)].join('');
}

function withoutAccent(text: string): string {
  return ACCENT.test(text) ? '' : text;
}

function elementsOf(element: HtmlElement): HtmlElement[] {
  return element.children.filter((child): child is HtmlElement => typeof child !== 'string');
}
