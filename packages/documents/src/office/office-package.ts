import { posix } from 'node:path';
import type { DocumentBuilder } from '../document/document-builder.js';
import { DocumentError } from '../document/document-error.js';
import { childElements, childText, readXmlTree, runTextOf, type XmlElement } from '../xml/xml-tree.js';
import { contentTypesOf, packagePartOf, partKey, targetPart } from '../archive/package-parts.js';
import { ZipArchive } from '../archive/zip-archive.js';

export interface Relationship {
  /** Last segment of the relationship type, such as `slide` in `…/relationships/slide`. */
  readonly type: string;
  /** Name of the part in the archive. */
  readonly target: string;
}

/**
 * Parts without text, with prompts and building blocks, with the cells of sheets, which are values, with strings that no
 * cell may use, and with comments of sheets, which repeat threads for older programs.
 */
const UNSEEN_PARTS =
  /^xl\/(?:comments|sharedStrings)|\/(?:glossary|handoutMasters|notesMasters|slideLayouts|slideMasters|theme|worksheets)\/|\/(?:fontTable|settings|styles|webSettings)\.xml$/i;

function isSeen(part: string): boolean {
  return /^(?:word|ppt|xl)\/.*\.xml$/i.test(part) && !UNSEEN_PARTS.test(part);
}

function missing(part: string): never {
  throw new DocumentError('CORRUPT_FILE', `the part ${part} is missing`);
}

const MAX_NAMES = 20;

/** Objects that are not read, by their program or name. */
export class UnreadObjects {
  private readonly counts = new Map<string, number>();

  add(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  warn(builder: DocumentBuilder): void {
    if (this.counts.size === 0) return;
    const names = Array.from(this.counts, ([name, count]) => (count === 1 ? name : `${name} (${count})`));
    const others = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
    builder.warn(
      'PARTLY_READ',
      `Objects in the file were not read: ${names.slice(0, MAX_NAMES).join(', ')}${others}. Save their content as files and upload these.`,
    );
  }
}

/** An Office Open XML package (ECMA-376 part 2): parts in a zip archive, connected by relationships. */
export class OfficePackage {
  readonly archive: ZipArchive;
  private readonly visited = new Set<string>();
  /** The text of the parts by {@link partKey}. */
  private readonly seen = new Map<string, string>();
  private types: ReturnType<typeof contentTypesOf> | undefined;
  readonly unread = new UnreadObjects();
  /** How many packages contain this one. */
  readonly depth: number;

  /** @param container the package that contains this one: they share the limits of a file */
  constructor(bytes: Uint8Array, container?: OfficePackage) {
    this.depth = container === undefined ? 0 : container.depth + 1;
    this.archive = new ZipArchive(bytes, container?.archive);
  }

  /** @throws DocumentError CORRUPT_FILE when the part is missing */
  text(part: string): string {
    const text = this.archive.readText(part) ?? missing(part);
    if (isSeen(part) && !this.seen.has(partKey(part))) this.seen.set(partKey(part), runTextOf(text));
    return text;
  }

  /** @throws DocumentError CORRUPT_FILE when the part is missing */
  bytes(part: string): Buffer {
    return this.archive.read(part) ?? missing(part);
  }

  /**
   * The text of a large part, in pieces.
   *
   * @throws DocumentError CORRUPT_FILE when the part is missing
   */
  textPieces(part: string): AsyncIterable<string> {
    return this.has(part) ? this.archive.readTextPieces(part) : missing(part);
  }

  /**
   * @returns undefined when there is no such part
   * @throws DocumentError when the part is not well-formed XML with this root
   */
  tree(part: string, root: string): XmlElement | undefined {
    return this.has(part) ? readXmlTree(this.text(part), root) : undefined;
  }

  /** Like {@link tree}, but also returns undefined for a broken part; for optional parts. */
  readableTree(part: string, root: string): XmlElement | undefined {
    try {
      return this.tree(part, root);
    } catch (error) {
      if (error instanceof DocumentError) return undefined;
      throw error;
    }
  }

  contentType(part: string): string {
    this.types ??= contentTypesOf(this.readableTree('[Content_Types].xml', 'Types'));
    return this.types(part);
  }

  /**
   * Returns true on the first call for a part. Referenced parts are added once, so that a small file cannot
   * have a large part read many times.
   */
  isFirstVisit(part: string): boolean {
    const key = partKey(part);
    if (this.visited.has(key)) return false;
    this.visited.add(key);
    return true;
  }

  /**
   * Names the objects that were not read, and passes all text of the parts to the builder, which compares it with what
   * is read from them.
   */
  close(builder: DocumentBuilder): void {
    this.unread.warn(builder);
    for (const name of this.archive.names) {
      if (!isSeen(name) || this.seen.has(partKey(name))) continue;
      try {
        this.text(name);
      } catch (error) {
        // No reader needs the part.
        if (!(error instanceof DocumentError)) throw error;
      }
    }
    for (const text of this.seen.values()) builder.see(text);
  }

  has(part: string): boolean {
    return this.archive.has(part);
  }

  /** The relationships of a part by id, in file order, without external ones. */
  relationships(part: string): Map<string, Relationship> {
    const { dir, base } = posix.parse(part);
    const root = this.tree(posix.join(dir, '_rels', `${base}.rels`), 'Relationships');
    const relationships = new Map<string, Relationship>();
    for (const { attributes } of childElements(root, 'Relationship')) {
      const { Id: id, Type: type = '', Target: target = '', TargetMode: mode } = attributes;
      if (id === undefined || mode === 'External') continue;
      relationships.set(id, {
        type: type.slice(type.lastIndexOf('/') + 1),
        target: targetPart(dir, target),
      });
    }
    return relationships;
  }

  relatedPart(part: string, type: string): string | undefined {
    return [...this.relationships(part).values()].find((relationship) => relationship.type === type)?.target;
  }

  /** The parts of a type that a part refers to, with their names, each once per package. */
  newParts(part: string, type: string, root: string): (readonly [part: string, tree: XmlElement])[] {
    return [...this.relationships(part).values()].flatMap((relationship) => {
      const { target } = relationship;
      const isNew = relationship.type === type && this.isFirstVisit(target);
      const tree = isNew ? this.readableTree(target, root) : undefined;
      if (isNew && tree === undefined && this.has(target)) this.unread.add(posix.basename(target));
      return tree === undefined ? [] : [[target, tree] as const];
    });
  }

  /** The name of a part by the relationships of the package, such as the main part; by default `fallback`. */
  packagePart(type: string, fallback: string): string {
    const part = packagePartOf(this.readableTree('_rels/.rels', 'Relationships'), type);
    return part !== undefined && this.has(part) ? part : fallback;
  }

  /** Sets title, language and metadata from the core properties (part 2, section 11). Ignores broken ones. */
  addMetadata(builder: DocumentBuilder): void {
    const core = this.readableTree(
      this.packagePart('core-properties', 'docProps/core.xml'),
      'coreProperties',
    );
    const property = (name: string): string | undefined => childText(core, name);
    builder
      .setTitle(property('title'))
      .setLanguage(property('language'))
      .setMetadata('author', property('creator'))
      .setMetadata('subject', property('subject'))
      .setMetadata('keywords', property('keywords'))
      .setMetadata('created', property('created'))
      .setMetadata('modified', property('modified'));
  }
}
