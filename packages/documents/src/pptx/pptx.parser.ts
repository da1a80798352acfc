import type { DocumentParser } from '../document-parser.js';
import { OfficePackage } from '../office/office-package.js';
import { childElements, childText, descendant, descendants, isOn, type XmlElement } from '../xml/xml-tree.js';
import type { DocumentBuilder } from '../document/document-builder.js';
import { drawingText, isHiddenShape, struckText } from '../office/drawing-text.js';
import { EmbeddedFiles, type EmbeddedParts } from '../office/embedded-parts.js';
import {
  addShape,
  fixedTexts,
  isRepeated,
  isSlideNumber,
  notesText,
  PlaceholderBoxes,
  shapeText,
  slideShapes,
  titleShape,
} from './slide-shapes.js';
import { commentText } from '../document/canonical-text.js';

/**
 * Reads presentations (ECMA-376, PresentationML): slides in presentation order. The page is the slide number. Slides that
 * the show skips are left out, unless it skips all.
 */
export const pptxParser: DocumentParser = {
  async parse(input, builder) {
    const office = new OfficePackage(input.bytes, input.container);
    office.addMetadata(builder);
    const main = office.packagePart('officeDocument', 'ppt/presentation.xml');
    const slides = slidesInOrder(office, main);
    const files = new EmbeddedFiles(office, input, builder);
    const reader = new SlideReader(office, authorsOf(office, main), builder);
    builder.setPageCount(slides.length);
    const areAllHidden = slides.every((part) => isLeftOut(office.tree(part, 'sld')));
    for (const [index, part] of slides.entries()) {
      builder.beginPage(index + 1).leaveHeadings();
      const slide = office.tree(part, 'sld');
      if (slide !== undefined) {
        if (isLeftOut(slide) && !areAllHidden) reader.leaveOut(part, slide);
        else reader.add(part, slide, await files.partsOf(part));
      }
      input.onProgress({ done: index + 1, total: slides.length });
    }
    office.close(builder);
  },
};

/** Whether the show skips a slide. */
function isLeftOut(slide: XmlElement | undefined): boolean {
  return !isOn(slide?.attributes['show']);
}

function slidesInOrder(office: OfficePackage, main: string): string[] {
  const relationships = office.relationships(main);
  const list = descendant(office.tree(main, 'presentation'), 'sldIdLst');
  const ids = childElements(list, 'sldId').map((slide) => slide.attributes['r:id']);
  return ids.flatMap((id) => {
    const target = id === undefined ? undefined : relationships.get(id)?.target;
    return target !== undefined && office.has(target) && office.isFirstVisit(target) ? [target] : [];
  });
}

interface Layout {
  readonly boxes: PlaceholderBoxes;
  /** Texts of layout and master that all slides with the layout show. */
  readonly texts: readonly string[];
}

/** Adds the slides of a presentation, one after the other. */
class SlideReader {
  private readonly layouts = new Map<string, Layout>();
  /** Footers, dates and texts of layouts: each is added on the first slide that shows it. */
  private readonly repeated = new Set<string>();

  constructor(
    private readonly office: OfficePackage,
    private readonly authors: Authors,
    private readonly builder: DocumentBuilder,
  ) {}

  leaveOut(part: string, slide: XmlElement): void {
    this.builder.leaveOut('hidden', drawingText(slide)).leaveOut('hidden', this.notesOf(part));
  }

  /** Adds a slide: title, other shapes, repeated texts that are new, notes and comments. */
  add(part: string, slide: XmlElement, embedded: EmbeddedParts): void {
    const { office, builder } = this;
    const tree = descendant(slide, 'cSld', 'spTree');
    if (tree !== undefined) {
      builder.leaveOut('deleted', struckText(tree));
      const layout = this.layoutOf(part);
      this.addShapes(slideShapes(tree, layout.boxes), embedded);
      for (const text of layout.texts) this.addRepeated(text);
    }
    builder.block('paragraph', this.notesOf(part));
    for (const [, list] of office.newParts(part, 'comments', 'cmLst')) {
      for (const comment of commentsOf(list, this.authors)) builder.block('paragraph', comment);
    }
  }

  private notesOf(slide: string): string {
    const [[, page] = []] = this.office.newParts(slide, 'notesSlide', 'notes');
    const tree = descendant(page, 'cSld', 'spTree');
    if (tree === undefined) return '';
    this.builder.leaveOut('deleted', struckText(tree));
    return notesText(tree);
  }

  private addShapes(shapes: readonly XmlElement[], embedded: EmbeddedParts): void {
    const { builder } = this;
    const title = titleShape(shapes);
    if (title !== undefined) builder.heading(1, shapeText(title));
    const repeated: string[] = [];
    for (const shape of shapes) {
      if (shape === title) continue;
      if (isHiddenShape(shape)) builder.leaveOut('hidden', drawingText(shape));
      else if (isSlideNumber(shape)) builder.leaveOut('running', shapeText(shape));
      else if (isRepeated(shape)) repeated.push(shapeText(shape));
      else addShape(shape, builder, embedded);
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
    const showsMaster = isOn(root?.attributes['showMasterSp']);
    const layout = {
      boxes: new PlaceholderBoxes(layoutTree, masterTree),
      texts: [...fixedTexts(layoutTree), ...(showsMaster ? fixedTexts(masterTree) : [])],
    };
    this.layouts.set(part, layout);
    return layout;
  }
}

type Authors = ReadonlyMap<string | undefined, string>;

/** Names of comment authors by id, from the list of ECMA-376 19.4.4 and from that of newer programs. */
function authorsOf(office: OfficePackage, main: string): Authors {
  const lists = [
    ...office.newParts(main, 'commentAuthors', 'cmAuthorLst'),
    ...office.newParts(main, 'authors', 'authorLst'),
  ];
  return new Map(
    lists.flatMap(([, list]) =>
      childElements(list).map(({ attributes: { id, name = '', initials } }) => [
        id,
        initials ? `${name} (${initials})` : name,
      ]),
    ),
  );
}

/** The comments of a slide as text, each followed by its replies. */
function commentsOf(list: XmlElement, authors: Authors): string[] {
  return [...descendants(list, 'cm')].flatMap((comment) => [
    textOf(comment, authors),
    ...[...descendants(comment, 'reply')].map((reply) => textOf(reply, authors)),
  ]);
}

function textOf(comment: XmlElement, authors: Authors): string {
  const { authorId, dt, created } = comment.attributes;
  const body = descendant(comment, 'txBody');
  const text = childText(comment, 'text') ?? (body === undefined ? '' : drawingText(body));
  return commentText({ author: authors.get(authorId), date: dt ?? created, text });
}
