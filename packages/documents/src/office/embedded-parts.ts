import { posix } from 'node:path';
import type { Document } from '../document/document.js';
import { DocumentBuilder } from '../document/document-builder.js';
import { DocumentError } from '../document/document-error.js';
import type { ParserInput } from '../document-parser.js';
import { detectFileType } from '../file-type/detect-file-type.js';
import type { XmlElement } from '../xml/xml-tree.js';
import { addChart } from './chart.js';
import { addDiagram } from './diagram.js';
import type { OfficePackage, Relationship } from './office-package.js';

/** Elements that show an object: a file of another program in the document (ECMA-376 Part 1, 17.3.3.19 and 19.3.2.4). */
const OBJECTS: ReadonlySet<string> = new Set(['OLEObject', 'objectEmbed', 'oleObj', 'oleObject']);
const FILES: ReadonlySet<string> = new Set(['oleObject', 'package']);
/** Files inside of files inside of a file are not read. */
const MAX_NESTED = 2;

/** Whether an element shows a chart, a diagram or an object, which are parts of their own (21.2 and 21.4). */
export function isEmbedded({ name }: XmlElement): boolean {
  return name === 'chart' || name === 'relIds' || OBJECTS.has(name);
}

/** Reads the files inside of an Office file. */
export class EmbeddedFiles {
  /** How many objects are not read, by their program or name. */
  private readonly unread = new Map<string, number>();

  constructor(
    private readonly office: OfficePackage,
    private readonly input: ParserInput,
    private readonly builder: DocumentBuilder,
  ) {}

  /** Reads the objects that belong to a part. They are added later, at their places. */
  async partsOf(part: string): Promise<EmbeddedParts> {
    const { office, builder } = this;
    const relationships = office.relationships(part);
    const files = new Map<string, Document | null>();
    for (const { type, target } of relationships.values()) {
      if (FILES.has(type) && office.isFirstVisit(target)) files.set(target, await this.read(target));
    }
    return new EmbeddedParts(office, relationships, builder, files, (name) =>
      this.unread.set(name, (this.unread.get(name) ?? 0) + 1),
    );
  }

  /** Reads a part that is a file. @returns null if it cannot be read */
  async read(part: string): Promise<Document | null> {
    const { office, input } = this;
    if (office.depth >= MAX_NESTED || !office.has(part)) return null;
    try {
      const bytes = Uint8Array.from(office.bytes(part));
      const source = {
        size: bytes.length,
        read: (start: number, end: number) => Promise.resolve(bytes.subarray(start, end)),
      };
      const fileName = posix.basename(part);
      const type = await detectFileType(source, { fileName });
      if (type === null) return null;
      const builder = new DocumentBuilder();
      const { parserOf } = input;
      const inner = { bytes, fileName, parserOf, container: office, onProgress: () => undefined };
      await (await parserOf(type)).parse(inner, builder);
      return builder.build();
    } catch (error) {
      if (!(error instanceof DocumentError) || error.code === 'TOO_COMPLEX') throw error;
      return null;
    }
  }

  /** Names the objects that were not read. */
  close(): void {
    if (this.unread.size === 0) return;
    const names = [...this.unread].map(([name, count]) => (count === 1 ? name : `${name} (${count})`));
    this.builder.warn(
      'PARTLY_READ',
      `Objects in the file were not read: ${names.join(', ')}. Save their content as files and upload these.`,
    );
  }
}

/** Adds the charts, diagrams and objects that a part of a package shows. */
export class EmbeddedParts {
  constructor(
    private readonly office: OfficePackage,
    private readonly relationships: ReadonlyMap<string, Relationship>,
    private readonly builder: DocumentBuilder,
    /** The objects by the names of their parts; null for one that cannot be read. */
    private readonly files: Map<string, Document | null>,
    private readonly onUnread: (name: string) => void,
  ) {}

  /** Adds what an element shows, once per package. Missing and broken charts and diagrams are ignored. */
  add({ name, attributes }: XmlElement): void {
    const id = name === 'relIds' ? attributes['dm'] : (attributes['r:id'] ?? attributes['id']);
    const target = this.relationships.get(id ?? '')?.target;
    if (target === undefined) return;
    if (OBJECTS.has(name)) this.addFile(target, attributes['progId'] ?? attributes['ProgID']);
    else if (this.office.isFirstVisit(target)) {
      const isChart = name === 'chart';
      const root = this.office.readableTree(target, isChart ? 'chartSpace' : 'dataModel');
      if (root !== undefined) (isChart ? addChart : addDiagram)(root, this.builder);
    }
  }

  /** Adds all objects of the part. */
  addFiles(): void {
    for (const part of this.files.keys()) this.addFile(part);
  }

  private addFile(part: string, name = posix.basename(part)): void {
    const document = this.files.get(part);
    this.files.delete(part);
    if (document === null) this.onUnread(name);
    else if (document !== undefined) this.builder.addDocument(document);
  }
}
