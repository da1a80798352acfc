import { childElements, descendant, textContent, type XmlElement } from '../xml/xml-tree.js';

/**
 * Formats an equation (Office Math, ECMA-376 22.1) on one line as people type equations: `a^2`, `x_(n+1)`,
 * `(a+b)/(2c)`, `√(x)`, `∑_(n=1)^∞ n`.
 */
export function mathText(element: XmlElement): string {
  return childElements(element).map(partText).join('');
}

function partText(part: XmlElement): string {
  const arg = (name: string): string => argument(part, name);
  switch (part.name) {
    case 'r':
    case 't':
      return part.name === 't' ? textContent(part) : childElements(part).map(runText).join('');
    case 'f':
      return `${grouped(arg('num'))}/${grouped(arg('den'))}`;
    case 'sSup':
      return `${arg('e')}^${grouped(arg('sup'))}`;
    case 'sSub':
      return `${arg('e')}_${grouped(arg('sub'))}`;
    case 'sSubSup':
    case 'sPre':
      return `${arg('e')}_${grouped(arg('sub'))}^${grouped(arg('sup'))}`;
    case 'rad': {
      const degree = arg('deg');
      return `${degree === '' ? '' : `${degree}`}√(${arg('e')})`;
    }
    case 'nary': {
      // The default operator is the integral (22.1.2.20).
      const sign = descendant(part, 'naryPr', 'chr')?.attributes['val'] ?? '∫';
      return `${sign}${limit('_', arg('sub'))}${limit('^', arg('sup'))} ${arg('e')}`;
    }
    case 'd': {
      const open = descendant(part, 'dPr', 'begChr')?.attributes['val'] ?? '(';
      const close = descendant(part, 'dPr', 'endChr')?.attributes['val'] ?? ')';
      const separator = descendant(part, 'dPr', 'sepChr')?.attributes['val'] ?? '|';
      return `${open}${childElements(part, 'e').map(mathText).join(separator)}${close}`;
    }
    case 'func':
      return `${arg('fName')} ${grouped(arg('e'))}`;
    case 'limLow':
      return `${arg('e')}_${grouped(arg('lim'))}`;
    case 'limUpp':
      return `${arg('e')}^${grouped(arg('lim'))}`;
    case 'm':
      return `[${childElements(part, 'mr')
        .map((row) => childElements(row, 'e').map(mathText).join(', '))
        .join('; ')}]`;
    case 'eqArr':
      return childElements(part, 'e').map(mathText).join('; ');
    default:
      // The other properties only affect the appearance. Of accents, bars and boxes, the content is used.
      return part.name.endsWith('Pr') ? '' : mathText(part);
  }
}

function runText(part: XmlElement): string {
  if (part.name === 't') return textContent(part);
  return part.name === 'br' || part.name === 'tab' ? ' ' : '';
}

function argument(part: XmlElement, name: string): string {
  const [element] = childElements(part, name);
  return element === undefined ? '' : mathText(element);
}

function limit(sign: '_' | '^', text: string): string {
  return text === '' ? '' : `${sign}${grouped(text)}`;
}

/** Adds parentheses unless the text is a single operand. */
function grouped(text: string): string {
  const isOne = /^(?:[\p{L}\p{N}.]+|∞|\([^()]*\))$/u.test(text.trim());
  return isOne ? text.trim() : `(${text})`;
}
