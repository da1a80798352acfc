import { posix } from 'node:path';
import type { Document } from '../document/document.js';
import { DocumentBuilder } from '../document/document-builder.js';
import type { ParserInput } from '../document-parser.js';
import { detectFileType } from '../file-type/detect-file-type.js';
import type { XmlElement } from '../xml/xml-tree.js';
import { addChart } from './chart.js';
import { addDiagram } from './diagram.js';
import type { OfficePackage, Relationship } from './office-package.js';

/** Elements that show an object: a file of another program in the document (ECMA-376 Part 1, 17.3.3.19 and 19.3.2.4). */
const PICTURES: ReadonlySet<string> = new Set(['blip', 'imagedata']);
const OBJECTS: ReadonlySet<string> = new Set(['OLEObject', 'altChunk', 'objectEmbed', 'oleObj', 'oleObject']);
/** Types of relationships to files; `aFChunk` is that of the texts that Word shows as its own (17.17.2). */
const FILES: ReadonlySet<string> = new Set(['aFChunk', 'oleObject', 'package']);
/** Files inside of files inside of a file are not read. */
const MAX_NESTED = 2;
/** An attribute that refers to a relationship, with any prefix. */
const REFERENCE = /\bid\s*=\s*["']([^"'<>]*)["']/g;

/** Whether an element shows a picture, a chart, a diagram or an object, which are parts of their own (20.1, 21.2 and 21.4). */
export function isEmbedded({ name }: XmlElement): boolean {
  return name === 'chart' || name === 'relIds' || PICTURES.has(name) || OBJECTS.has(name);
}

/** Reads the files inside of an Office file. */
export class EmbeddedFiles {
  private readCharacters = 0;

  constructor(
    private readonly office: OfficePackage,
    private readonly input: ParserInput,
    private readonly builder: DocumentBuilder,
  ) {}

  /**
   * Reads the objects that a part shows. They are added later, at their places.
   *
   * @param areAllShown whether the part is a sheet, whose text is too long to look for the objects in it
   */
  async partsOf(part: string, areAllShown = false): Promise<EmbeddedParts> {
    const { office, builder } = this;
    const relationships = office.relationships(part);
    const references = areAllShown ? [] : office.text(part).matchAll(REFERENCE);
    const ids = new Set(Array.from(references, ([, id]) => id));
    const files = new Map<string, Document | null>();
    for (const [id, { type, target }] of relationships) {
      const isShown = FILES.has(type) && (areAllShown || ids.has(id));
      if (isShown && office.has(target) && office.isFirstVisit(target))
        files.set(target, await this.read(target));
    }
    return new EmbeddedParts(office, relationships, builder, files);
  }

  /**
   * Reads a part that is a file. All files inside of a file share the limits of one file, but do not use up its own.
   *
   * @returns null if the file cannot be read, which does not make the file around it unreadable
   */
  private async read(part: string): Promise<Document | null> {
    const { office, input } = this;
    if (office.depth >= MAX_NESTED) return null;
    try {
      const bytes = Uint8Array.from(office.bytes(part));
      const source = {
        size: bytes.length,
        read: (start: number, end: number) => Promise.resolve(bytes.subarray(start, end)),
      };
      const fileName = posix.basename(part);
      const type = await detectFileType(source, { fileName, declaredMimeType: office.contentType(part) });
      if (type === null) return null;
      const builder = new DocumentBuilder({
        maxCharacters: this.builder.maxCharacters - this.readCharacters,
        pictures: this.builder.pictures,
      });
      const { parserOf } = input;
      const inner = { bytes, fileName, parserOf, container: office, onProgress: () => undefined };
      await (await parserOf(type)).parse(inner, builder);
      const document = builder.build();
      this.readCharacters += document.text.length;
      return document;
    } catch {
      return null;
    }
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
  ) {}

  /** Adds what an element shows, once per package. What is missing in the file is ignored. */
  add({ name, attributes }: XmlElement): void {
    const id =
      name === 'relIds' ? attributes['dm'] : (attributes['embed'] ?? attributes['r:id'] ?? attributes['id']);
    const target = this.relationships.get(id ?? '')?.target;
    if (target === undefined) return;
    if (PICTURES.has(name)) this.builder.picture(this.office.archive.picture(target));
    else if (OBJECTS.has(name)) this.addFile(target, attributes['progId'] ?? attributes['ProgID']);
    else if (this.office.has(target) && this.office.isFirstVisit(target)) {
      const isChart = name === 'chart';
      const root = this.office.readableTree(target, isChart ? 'chartSpace' : 'dataModel');
      if (root === undefined || (isChart && !addChart(root, this.builder)))
        this.office.unread.add(posix.basename(target));
      else if (!isChart) addDiagram(root, this.builder);
    }
  }

  /** Adds all objects of the part. */
  addFiles(): void {
    for (const part of this.files.keys()) this.addFile(part);
  }

  private addFile(part: string, name = posix.basename(part)): void {
    const document = this.files.get(part);
    this.files.delete(part);
    if (document === null) this.office.unread.add(name);
    else if (document !== undefined) this.builder.addDocument(document);
  }
}
