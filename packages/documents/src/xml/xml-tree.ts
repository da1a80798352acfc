import { SaxesParser } from 'saxes';
import { DocumentError } from '../document/document-error.js';

/**
 * An element of an XML file. Names are local: Office files are written with and without prefixes (`w:p`, `p`,
 * `ns0:p`), and no part that we read has two vocabularies that clash.
 */
export interface XmlElement {
  readonly name: string;
  /** By local name. Of `id` and `r:id` on one element, the one with a prefix is under its full name only. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

const MAX_DEPTH = 250;

/**
 * Reads XML in one pass and hands over whole elements of the given names, each as a tree, as soon as they end. What is
 * outside of those elements is skipped.
 *
 * No entity but the five of XML is known: there is nothing to expand and nothing to fetch, and a file that declares
 * its own is refused where it uses them.
 *
 * @param names local names; an element inside of one that is being collected belongs to that one
 * @throws DocumentError CORRUPT_FILE for XML that is not well-formed, TOO_COMPLEX for nesting beyond 250
 */
export function readXmlElements(
  xml: string,
  names: ReadonlySet<string>,
  visit: (element: XmlElement) => void,
): void {
  const reader = new ElementReader(names, visit);
  reader.write(xml);
  reader.close();
}

/** As {@link readXmlElements}, of pieces that are cut anywhere: a sheet of a million rows is never in memory as a whole. */
export async function readXmlPieces(
  pieces: AsyncIterable<string>,
  names: ReadonlySet<string>,
  visit: (element: XmlElement) => void,
): Promise<void> {
  const reader = new ElementReader(names, visit);
  for await (const piece of pieces) reader.write(piece);
  reader.close();
}

/** The parser copies what it has not used yet, so it gets no more than this at a time. */
const MAX_WRITE_CHARACTERS = 65_536;

class ElementReader {
  private readonly parser = new SaxesParser({ xmlns: false, fragment: false, position: false });
  private readonly open: {
    name: string;
    attributes: Record<string, string>;
    children: (XmlElement | string)[];
  }[] = [];
  private depth = 0;

  constructor(names: ReadonlySet<string>, visit: (element: XmlElement) => void) {
    const { parser, open } = this;
    const text = (value: string): void => {
      open.at(-1)?.children.push(value);
    };
    parser.on('error', (error) => {
      throw new DocumentError('CORRUPT_FILE', `XML is not well-formed: ${error.message}`, { cause: error });
    });
    parser.on('text', text);
    parser.on('cdata', text);
    parser.on('opentag', (tag) => {
      this.enter();
      const name = localName(tag.name);
      if (open.length === 0 && !names.has(name)) return;
      open.push({ name, attributes: localAttributes(tag.attributes), children: [] });
    });
    parser.on('closetag', () => {
      this.depth -= 1;
      const element = open.pop();
      if (element === undefined) return;
      const parent = open.at(-1);
      if (parent === undefined) visit(element);
      else parent.children.push(element);
    });
  }

  write(xml: string): void {
    for (let at = 0; at < xml.length; at += MAX_WRITE_CHARACTERS) {
      this.parser.write(xml.slice(at, at + MAX_WRITE_CHARACTERS));
    }
  }

  close(): void {
    this.parser.close();
  }

  private enter(): void {
    this.depth += 1;
    if (this.depth <= MAX_DEPTH) return;
    throw new DocumentError('TOO_COMPLEX', `XML is nested deeper than ${MAX_DEPTH}`, {
      userMessage: `A part of the file is nested deeper than ${MAX_DEPTH} levels. Save it again with another program and upload the new copy.`,
    });
  }
}

/** A whole small XML file. @throws DocumentError as {@link readXmlElements} */
export function readXmlTree(xml: string, root: string): XmlElement {
  const found: XmlElement[] = [];
  readXmlElements(xml, new Set([root]), (element) => found.push(element));
  const [element] = found;
  if (element === undefined) throw new DocumentError('CORRUPT_FILE', `no element ${root} in the XML`);
  return element;
}

export function childElements(element: XmlElement, name?: string): XmlElement[] {
  return element.children.filter(
    (child): child is XmlElement => typeof child !== 'string' && (name === undefined || child.name === name),
  );
}

/** The first element at a path of names below this one. */
export function descendant(
  element: XmlElement | undefined,
  ...path: readonly string[]
): XmlElement | undefined {
  let current = element;
  for (const name of path) {
    if (current === undefined) return undefined;
    current = childElements(current, name)[0];
  }
  return current;
}

/** All elements of a name below this one, in document order; not those inside of others of the same name. */
export function* descendants(element: XmlElement, name: string): Generator<XmlElement> {
  for (const child of childElements(element)) {
    if (child.name === name) yield child;
    else yield* descendants(child, name);
  }
}

export function textContent(element: XmlElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : textContent(child))).join('');
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function localAttributes(attributes: Record<string, string>): Record<string, string> {
  const local: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    const short = localName(name);
    if (short !== name) local[name] = value;
    if (short === name || !(short in local)) local[short] = value;
  }
  return local;
}
