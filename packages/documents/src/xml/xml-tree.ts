import { SaxesParser } from 'saxes';
import { DocumentError } from '../document/document-error.js';

/**
 * An XML element with local names. Office files use various prefixes for the same element (`w:p`, `p`,
 * `ns0:p`), and in the parts that are read no two vocabularies clash.
 */
export interface XmlElement {
  readonly name: string;
  /**
   * By local name; attributes with a prefix also by full name. When an element has both `id` and `r:id`, the
   * latter is available by its full name only.
   */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

const MAX_DEPTH = 250;
/** An element with alternatives for programs of different age (ECMA-376 Part 3, 10.2). The tree has the shown one only. */
const ALTERNATIVES = 'AlternateContent';
/** Vocabularies that this product reads: those of the standard, and of Microsoft until 2019. */
const KNOWN_VOCABULARY =
  /^(?:$|http:\/\/schemas\.openxmlformats\.org\/|http:\/\/purl\.oclc\.org\/ooxml\/|urn:schemas-microsoft-com:|http:\/\/schemas\.microsoft\.com\/office\/(?:[a-z]+\/)*20[01]\d\/)/;

/**
 * Reads XML in one pass and visits each element of the given names, as a tree, when it ends. Everything
 * outside of these elements is skipped.
 *
 * Only the five predefined entities are supported, so nothing is expanded or fetched. Using any other entity
 * is an error.
 *
 * @param names local names; such an element inside another one is part of the outer tree and not visited
 * @throws DocumentError CORRUPT_FILE for malformed XML, TOO_COMPLEX for nesting deeper than 250
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

/**
 * Like {@link readXmlElements}, for pieces cut at any position, so that a large file is never in memory as a
 * whole.
 *
 * @param enter called at the start of each element around the visited ones, with its name and attributes
 */
export async function readXmlPieces(
  pieces: AsyncIterable<string>,
  names: ReadonlySet<string>,
  visit: (element: XmlElement) => void,
  enter?: (start: Omit<XmlElement, 'children'>) => void,
): Promise<void> {
  const reader = new ElementReader(names, visit, enter);
  for await (const piece of pieces) reader.write(piece);
  reader.close();
}

/** The parser copies its unread input on each write, so larger texts are written in pieces. */
const MAX_WRITE_CHARACTERS = 65_536;

class ElementReader {
  private readonly parser = new SaxesParser({ xmlns: false, fragment: false, position: false });
  private readonly open: {
    name: string;
    attributes: Record<string, string>;
    children: (XmlElement | string)[];
  }[] = [];
  private depth = 0;
  /** Namespaces by prefix. A file declares a prefix for one namespace only. */
  private readonly namespaces = new Map<string, string>();

  constructor(
    names: ReadonlySet<string>,
    visit: (element: XmlElement) => void,
    enter?: (start: Omit<XmlElement, 'children'>) => void,
  ) {
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
      const attributes = localAttributes(tag.attributes, this.namespaces);
      if (open.length === 0 && !names.has(name) && name !== ALTERNATIVES) {
        enter?.({ name, attributes });
        return;
      }
      open.push({ name, attributes, children: [] });
    });
    parser.on('closetag', () => {
      this.depth -= 1;
      const element = open.pop();
      if (element === undefined) return;
      const parent = open.at(-1);
      const shown = element.name === ALTERNATIVES ? this.shownAlternative(element) : [element];
      for (const child of shown) {
        if (parent !== undefined) parent.children.push(child);
        else if (names.has(child.name)) visit(child);
      }
    });
  }

  /** The content of the first alternative whose vocabularies are known, else of the fallback. */
  private shownAlternative(element: XmlElement): XmlElement[] {
    const choices = childElements(element, 'Choice');
    const isKnown = ({ attributes }: XmlElement): boolean =>
      (attributes['Requires'] ?? '')
        .split(/\s+/)
        .every((prefix) => KNOWN_VOCABULARY.test(this.namespaces.get(prefix) ?? ''));
    return childElements(choices.find(isKnown) ?? childElements(element, 'Fallback')[0] ?? choices[0]);
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

/**
 * Reads a small XML file as one tree.
 *
 * @throws DocumentError like {@link readXmlElements}; CORRUPT_FILE when there is no element `root`
 */
export function readXmlTree(xml: string, root: string): XmlElement {
  const found: XmlElement[] = [];
  readXmlElements(xml, new Set([root]), (element) => found.push(element));
  const [element] = found;
  if (element === undefined) throw new DocumentError('CORRUPT_FILE', `no element ${root} in the XML`);
  return element;
}

/** The children that are elements; none for a missing element. */
export function childElements(element: XmlElement | undefined, name?: string): XmlElement[] {
  if (element === undefined) return [];
  return element.children.filter(
    (child): child is XmlElement => typeof child !== 'string' && (name === undefined || child.name === name),
  );
}

/** The first element at a path of child names below `element`. */
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

/** All elements of a name below `element`, in document order, except those nested in another of that name. */
export function* descendants(element: XmlElement | undefined, name: string): Generator<XmlElement> {
  for (const child of childElements(element)) {
    if (child.name === name) yield child;
    else yield* descendants(child, name);
  }
}

/** The text of the first child with a name; undefined when there is none. */
export function childText(parent: XmlElement | undefined, name: string): string | undefined {
  const element = descendant(parent, name);
  return element === undefined ? undefined : textContent(element);
}

export function textContent(element: XmlElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : textContent(child))).join('');
}

/** Whether an attribute of Office Open XML that is on or off is on (ECMA-376 Part 1, 17.17.4). The default is on. */
export function isOn(value: string | undefined): boolean {
  return !['0', 'false', 'off'].includes(value ?? '1');
}

/** Whether a property is there and on. */
export function hasFlag(parent: XmlElement | undefined, ...path: readonly string[]): boolean {
  const flag = descendant(parent, ...path);
  return flag !== undefined && isOn(flag.attributes['val']);
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** @param namespaces gets the namespaces that the attributes declare */
function localAttributes(
  attributes: Record<string, string>,
  namespaces: Map<string, string>,
): Record<string, string> {
  const names = Object.keys(attributes);
  // Most elements of large sheets have no prefixes. The parser makes a new object for each element.
  if (!names.some((name) => name.includes(':'))) return attributes;
  const local: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    const short = localName(name);
    if (name.startsWith('xmlns:')) namespaces.set(short, value);
    if (short !== name) local[name] = value;
    if (short === name || !(short in local)) local[short] = value;
  }
  return local;
}

/** Text of a run, ends of paragraphs and cells, other tags that separate words, and what older programs show instead. */
const RUN_TEXT =
  /<(?:\w{1,8}:)?t(?:\s[^<>]*)?>([^<]*)|<\/(?:\w{1,8}:)?(p|si|tc)>|<(\/?)mc:Fallback>|<(?:\w{1,8}:)?(?:br|cr|oMath|tab)\b/g;

/** The text of all elements `t` of a part of an Office file, a paragraph or cell on a line. Nothing else is looked at. */
export function runTextOf(xml: string): string {
  let text = '';
  let fallbacks = 0;
  for (const [, run, end, fallback] of xml.matchAll(RUN_TEXT)) {
    if (fallback !== undefined) fallbacks += fallback === '' ? 1 : -1;
    else if (fallbacks <= 0) text += run ?? (end === undefined ? ' ' : '\n');
  }
  return withCharacters(text);
}

/** Tags within words; descriptions and data of drawings, and authors and dates of changes, which are not shown. */
const UNSEEN_IN_ODF =
  /<\/?text:(?:a|span)\b[^<>]*>|<(?:svg:(?:desc|title)|office:binary-data|dc:(?:creator|date))>[^<]*/g;

/** The text between the tags of a part of an OpenDocument file, as {@link runTextOf}. */
export function tagFreeText(xml: string): string {
  return withCharacters(xml.replace(UNSEEN_IN_ODF, '').replace(/<[^<>]*>/g, '\n'));
}

function withCharacters(text: string): string {
  return text.includes('&') ? text.replace(/&#(x?)([\da-f]{1,6});|&\w{1,8};/gi, characterOf) : text;
}

function characterOf(_: string, hex: string | undefined, digits: string | undefined): string {
  const code = digits === undefined ? 0x20 : Number.parseInt(digits, hex === '' ? 10 : 16);
  return String.fromCodePoint(Math.min(code, 0x10ffff));
}
