import { singleLine } from '../document/canonical-text.js';
import { childElements, textContent, type XmlElement } from '../xml/xml-tree.js';

/** The text of DrawingML (ECMA-376 Part 1, 21.1.2) on one line. Paragraphs and line breaks become spaces. */
export function drawingText(body: XmlElement): string {
  const parts: string[] = [];
  const walk = (element: XmlElement): void => {
    for (const child of childElements(element)) {
      if (child.name === 't') parts.push(textContent(child));
      else if (child.name === 'br') parts.push(' ');
      else if (child.name !== 'Fallback') walk(child);
      if (child.name === 'p') parts.push(' ');
    }
  };
  walk(body);
  return singleLine(parts.join(''));
}
