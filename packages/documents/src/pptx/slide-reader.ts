import type { DocumentBuilder } from '../document/document-builder.js';
import { drawingText } from '../office/drawing-text.js';
import { EmbeddedGraphics } from '../office/embedded-graphics.js';
import type { OfficePackage } from '../office/office-package.js';
import { descendant, type XmlElement } from '../xml/xml-tree.js';
import { PlaceholderBoxes } from './slide-boxes.js';
import { type CommentAuthors, commentsOf } from './slide-comments.js';
import {
  addShape,
  fixedTexts,
  isHidden,
  isRepeated,
  isSlideNumber,
  notesText,
  shapeText,
  slideShapes,
  titleShape,
} from './slide-shapes.js';

interface Layout {
  readonly boxes: PlaceholderBoxes;
  /** Texts of layout and master that all slides with the layout show. */
  readonly texts: readonly string[];
}

/** Adds the slides of a presentation, one after the other. */
export class SlideReader {
  private readonly layouts = new Map<string, Layout>();
  /** Footers, dates and texts of layouts: each is added on the first slide that shows it. */
  private readonly repeated = new Set<string>();

  constructor(
    private readonly office: OfficePackage,
    private readonly authors: CommentAuthors,
    private readonly builder: DocumentBuilder,
  ) {}

  /** Whether a slide is left out of the show. */
  static isHidden(slide: XmlElement | undefined): boolean {
    return ['0', 'false'].includes(slide?.attributes['show'] ?? '1');
  }

  leaveOut(part: string, slide: XmlElement): void {
    this.builder.leaveOut('hidden', drawingText(slide)).leaveOut('hidden', this.notesOf(part));
  }

  /** Adds a slide: title, other shapes, repeated texts that are new, notes and comments. */
  add(part: string, slide: XmlElement): void {
    const { office, builder } = this;
    const relationships = office.relationships(part);
    const tree = descendant(slide, 'cSld', 'spTree');
    if (tree !== undefined) {
      const layout = this.layoutOf(part);
      this.addShapes(slideShapes(tree, layout.boxes), new EmbeddedGraphics(office, relationships, builder));
      for (const text of layout.texts) this.addRepeated(text);
    }
    builder.block('paragraph', this.notesOf(part));
    for (const { type, target } of relationships.values()) {
      if (type !== 'comments') continue;
      for (const comment of commentsOf(office.tree(target, 'cmLst'), this.authors))
        builder.block('paragraph', comment);
    }
  }

  private notesOf(slide: string): string {
    const part = this.office.relatedPart(slide, 'notesSlide');
    const page = part === undefined ? undefined : this.office.tree(part, 'notes');
    const tree = descendant(page, 'cSld', 'spTree');
    return tree === undefined ? '' : notesText(tree);
  }

  private addShapes(shapes: readonly XmlElement[], graphics: EmbeddedGraphics): void {
    const { builder } = this;
    const title = titleShape(shapes);
    if (title !== undefined) builder.heading(1, shapeText(title));
    const repeated: string[] = [];
    for (const shape of shapes) {
      if (shape === title) continue;
      if (isHidden(shape)) builder.leaveOut('hidden', drawingText(shape));
      else if (isSlideNumber(shape)) builder.leaveOut('running', shapeText(shape));
      else if (isRepeated(shape)) repeated.push(shapeText(shape));
      else addShape(shape, builder, graphics);
    }
    for (const text of repeated) this.addRepeated(text);
  }

  private addRepeated(text: string): void {
    if (this.repeated.has(text)) this.builder.leaveOut('running', text);
    else this.builder.block('paragraph', text);
    this.repeated.add(text);
  }

  private layoutOf(slide: string): Layout {
    const { office } = this;
    const part = office.relatedPart(slide, 'slideLayout') ?? '';
    const known = this.layouts.get(part);
    if (known !== undefined) return known;
    const root = office.readableTree(part, 'sldLayout');
    const master = root === undefined ? undefined : office.relatedPart(part, 'slideMaster');
    const layoutTree = descendant(root, 'cSld', 'spTree');
    const masterTree = descendant(office.readableTree(master ?? '', 'sldMaster'), 'cSld', 'spTree');
    const showsMaster = !['0', 'false'].includes(root?.attributes['showMasterSp'] ?? '1');
    const layout = {
      boxes: new PlaceholderBoxes(layoutTree, masterTree),
      texts: [...fixedTexts(layoutTree), ...(showsMaster ? fixedTexts(masterTree) : [])],
    };
    this.layouts.set(part, layout);
    return layout;
  }
}
