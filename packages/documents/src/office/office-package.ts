import { posix } from 'node:path';
import type { DocumentBuilder } from '../document/document-builder.js';
import { DocumentError } from '../document/document-error.js';
import { childElements, descendant, readXmlTree, textContent, type XmlElement } from '../xml/xml-tree.js';
import { ZipArchive } from '../archive/zip-archive.js';

export interface Relationship {
  /** Last word of the relationship's type, as in `…/relationships/slide`. */
  readonly type: string;
  /** Name of the part in the archive. */
  readonly target: string;
}

/** An Office Open XML package (ECMA-376 part 2): parts in a zip, tied together by relationships. */
export class OfficePackage {
  private readonly archive: ZipArchive;
  private readonly visited = new Set<string>();

  constructor(bytes: Uint8Array) {
    this.archive = new ZipArchive(bytes);
  }

  /** The text of a part. @throws DocumentError CORRUPT_FILE when it is missing */
  text(part: string): string {
    const text = this.archive.readText(part);
    if (text === null) throw new DocumentError('CORRUPT_FILE', `the part ${part} is missing`);
    return text;
  }

  /** The text of a part that may be huge, piece by piece. @throws DocumentError CORRUPT_FILE when it is missing */
  textPieces(part: string): AsyncIterable<string> {
    if (!this.has(part)) throw new DocumentError('CORRUPT_FILE', `the part ${part} is missing`);
    return this.archive.readTextPieces(part);
  }

  /** @returns undefined when there is no such part */
  tree(part: string, root: string): XmlElement | undefined {
    return this.archive.has(part) ? readXmlTree(this.text(part), root) : undefined;
  }

  /** As {@link tree}, of a part that a file is worth reading without. @returns undefined for a broken one, too */
  readableTree(part: string, root: string): XmlElement | undefined {
    try {
      return this.tree(part, root);
    } catch (error) {
      if (error instanceof DocumentError) return undefined;
      throw error;
    }
  }

  /**
   * Whether a part is asked for the first time: what parts refer to is added once, so that a small file cannot have a
   * large part read over and over.
   */
  isFirstVisit(part: string): boolean {
    if (this.visited.has(part)) return false;
    this.visited.add(part);
    return true;
  }

  has(part: string): boolean {
    return this.archive.has(part);
  }

  /** By id, in the order of the file. Those that lead out of the package are left out. */
  relationships(part: string): Map<string, Relationship> {
    const { dir, base } = posix.parse(part);
    const root = this.tree(posix.join(dir, '_rels', `${base}.rels`), 'Relationships');
    const relationships = new Map<string, Relationship>();
    for (const { attributes } of root === undefined ? [] : childElements(root, 'Relationship')) {
      const { Id: id, Type: type = '', Target: target = '', TargetMode: mode } = attributes;
      if (id === undefined || mode === 'External') continue;
      relationships.set(id, {
        type: type.slice(type.lastIndexOf('/') + 1),
        target: target.startsWith('/') ? target.slice(1) : posix.join(dir, target),
      });
    }
    return relationships;
  }

  relatedPart(part: string, type: string): string | undefined {
    return [...this.relationships(part).values()].find((relationship) => relationship.type === type)?.target;
  }

  /** The main part by the package's own relationship, else by the name that everybody uses. */
  mainPart(usual: string): string {
    return this.relatedPart('', 'officeDocument') ?? usual;
  }

  /** Title, author and language from the core properties (part 2, section 11). Broken ones are not worth a file. */
  describe(builder: DocumentBuilder): void {
    let core: XmlElement | undefined;
    try {
      core = this.tree(this.relatedPart('', 'core-properties') ?? 'docProps/core.xml', 'coreProperties');
    } catch (error) {
      if (error instanceof DocumentError && error.code === 'CORRUPT_FILE') return;
      throw error;
    }
    const property = (name: string): string | undefined => {
      const element = descendant(core, name);
      return element === undefined ? undefined : textContent(element);
    };
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
