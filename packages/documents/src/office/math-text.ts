import { formula, grouped } from '../document/formula-notation.js';
import { childElements, descendant, textContent, type XmlElement } from '../xml/xml-tree.js';

/** Formats an equation (Office Math, ECMA-376 22.1) on one line, see {@link formula}. */
export function mathText(element: XmlElement): string {
  let previous = '';
  const texts = childElements(element).map((part) => {
    const isMixedNumber = /^(?:f|rad)$/.test(part.name) && /\d$/.test(previous);
    previous = partText(part);
    return `${isMixedNumber ? ' ' : ''}${previous}`;
  });
  return texts.join('');
}

function partText(part: XmlElement): string {
  const arg = (name: string): string => argument(part, name);
  switch (part.name) {
    case 'r':
    case 't':
      return part.name === 't' ? textContent(part) : childElements(part).map(runText).join('');
    case 'f':
      return formula.fraction(arg('num'), arg('den'));
    case 'sSup':
    case 'sSub':
    case 'sSubSup':
    case 'sPre':
      return formula.scripts(arg('e'), arg('sub'), arg('sup'));
    case 'rad':
      return formula.root(arg('e'), arg('deg'));
    case 'nary': {
      // The default operator is the integral (22.1.2.20).
      const sign = descendant(part, 'naryPr', 'chr')?.attributes['val'] ?? '∫';
      return `${formula.scripts(sign, arg('sub'), arg('sup'))} ${arg('e')}`;
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
      return formula.scripts(arg('e'), arg('lim'), '');
    case 'limUpp':
      return formula.scripts(arg('e'), '', arg('lim'));
    case 'm':
      return formula.matrix(childElements(part, 'mr').map((row) => childElements(row, 'e').map(mathText)));
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
