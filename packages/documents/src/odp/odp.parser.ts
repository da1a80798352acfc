import type { DocumentBuilder } from '../document/document-builder.js';
import type { DocumentParser } from '../document-parser.js';
import { OdfObjects } from '../odt/odf-objects.js';
import { CONTENT, openPackage } from '../odt/odf-package.js';
import { OdtBody } from '../odt/odt-body.js';
import { OdtStyles, STYLE_ELEMENTS } from '../odt/odt-styles.js';
import { blockText, commentOf } from '../odt/odt-text.js';
import { positionOrder } from '../pptx/slide-shapes.js';
import {
  childElements,
  descendants,
  readXmlElements,
  readXmlPieces,
  tagFreeText,
  textContent,
  type XmlElement,
} from '../xml/xml-tree.js';

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/gu;
/** Elements of a slide that are no shapes, with their own text or none. */
const NO_SHAPES: ReadonlySet<string> = new Set(['annotation', 'forms', 'notes']);

/**
 * Reads presentations (ODF 1.0 to 1.3, 10): slides with title, shapes, tables, charts, notes and comments. The page is the
 * slide number. Slides that the show skips are left out, unless it skips all.
 */
export const odpParser: DocumentParser = {
  async parse({ bytes, container, onProgress }, builder) {
    const archive = openPackage(bytes, container, builder);
    const styles = new OdtStyles();
    const masters = new Map<string, XmlElement>();
    const common = archive.readText('styles.xml');
    if (common !== null)
      readXmlElements(common, new Set([...STYLE_ELEMENTS, 'master-page']), (element) => {
        if (STYLE_ELEMENTS.has(element.name)) styles.add(element);
        else masters.set(element.attributes['name'] ?? '', element);
      });
    const footers = new Map<string, string>();
    const slides: XmlElement[] = [];
    const names = new Set([...STYLE_ELEMENTS, 'footer-decl', 'page']);
    await readXmlPieces(archive.readTextPieces(CONTENT), names, (element) => {
      if (STYLE_ELEMENTS.has(element.name)) styles.add(element);
      else if (element.name === 'page') slides.push(element);
      else footers.set(element.attributes['name'] ?? '', textContent(element));
    });
    const body = new OdtBody(builder, styles, new OdfObjects(archive));
    const reader = new SlideReader(body, masters, footers);
    builder.setPageCount(slides.length);
    const areAllHidden = slides.every((slide) => reader.isHidden(slide));
    for (const [index, slide] of slides.entries()) {
      builder.beginPage(index + 1).leaveHeadings();
      if (reader.isHidden(slide) && !areAllHidden) reader.leaveOut(slide);
      else reader.add(slide);
      onProgress({ done: index + 1, total: slides.length });
    }
    builder.see(tagFreeText(archive.readText(CONTENT) ?? ''));
    body.objects.unread.warn(builder);
  },
};

/** Adds the slides of a presentation, one after the other. */
class SlideReader {
  private readonly builder: DocumentBuilder;
  /** Footers and texts of masters: each is added on the first slide that shows it. */
  private readonly repeated = new Set<string>();

  constructor(
    private readonly body: OdtBody,
    private readonly masters: ReadonlyMap<string, XmlElement>,
    private readonly footers: ReadonlyMap<string, string>,
  ) {
    this.builder = body.builder;
  }

  /** Whether the show skips a slide. */
  isHidden(slide: XmlElement): boolean {
    return this.propertyOf(slide, 'visibility') === 'hidden';
  }

  leaveOut(slide: XmlElement): void {
    for (const paragraph of descendants(slide, 'p')) this.builder.leaveOut('hidden', textContent(paragraph));
  }

  /** Adds title, other shapes, repeated texts that are new, notes and comments. */
  add(slide: XmlElement): void {
    const shapes = shapesInOrder(slide);
    const title = shapes.find((shape) => isTitle(shape) && blockText(shape, this.body) !== '');
    if (title !== undefined) this.builder.heading(1, blockText(title, this.body));
    for (const shape of shapes) {
      if (shape === title) continue;
      this.body.add(shape);
      this.body.finish();
    }
    for (const text of this.repeatedTexts(slide)) {
      if (text !== '' && !this.repeated.has(text)) this.builder.block('paragraph', text);
      this.repeated.add(text);
    }
    for (const notes of childElements(slide, 'notes')) this.builder.block('paragraph', this.notesOf(notes));
    for (const comment of childElements(slide, 'annotation'))
      this.builder.block('paragraph', commentOf(comment, this.body));
  }

  private notesOf(notes: XmlElement): string {
    // A header or a number of the page is no note.
    const frames = childElements(notes).filter(
      ({ attributes }) => (attributes['class'] ?? 'notes') === 'notes',
    );
    return frames
      .map((frame) => blockText(frame, this.body))
      .join('\n')
      .trim();
  }

  /** The footer of a slide, and the texts of its master that are no placeholders. */
  private repeatedTexts(slide: XmlElement): string[] {
    const { 'use-footer-name': footer = '', 'master-page-name': name = '' } = slide.attributes;
    const shapes = childElements(this.masters.get(name)).filter((shape) => !NO_SHAPES.has(shape.name));
    const textsOf = (kind: string | undefined): string[] =>
      shapes
        .filter(({ attributes }) => attributes['class'] === kind)
        .map((shape) => blockText(shape, this.body));
    const showsFooter = this.propertyOf(slide, 'display-footer') !== 'false';
    const showsMaster = this.propertyOf(slide, 'background-objects-visible') !== 'false';
    return [
      ...(showsMaster ? textsOf(undefined) : []),
      ...(showsFooter ? [...textsOf('footer'), (this.footers.get(footer) ?? '').trim()] : []),
    ];
  }

  private propertyOf({ attributes }: XmlElement, property: string): string | undefined {
    const style = attributes['style-name'];
    return this.body.styles.property('drawing-page', style, 'drawing-page-properties', property);
  }
}

function isTitle({ attributes }: XmlElement): boolean {
  return attributes['class'] === 'title';
}

/** The shapes of a slide in the order in which people read them, by their positions. */
function shapesInOrder(slide: XmlElement): XmlElement[] {
  const shapes = childElements(slide).filter(({ name }) => !NO_SHAPES.has(name));
  const text = shapes.map(textContent).join(' ');
  const isRightToLeft = (text.match(RIGHT_TO_LEFT)?.length ?? 0) > (text.match(/\p{L}/gu)?.length ?? 0) / 2;
  const placed: { item: XmlElement[]; box: NonNullable<ReturnType<typeof boxOf>> }[] = [];
  const unplaced: XmlElement[] = [];
  for (const shape of shapes) {
    const box = boxOf(shape);
    if (box === null) (placed.at(-1)?.item ?? unplaced).push(shape);
    else placed.push({ item: [shape], box });
  }
  return [...unplaced, ...positionOrder(placed, isRightToLeft).flat()];
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The box of a shape (ODF 1.3, 19.573) or of the shapes of a group, in inches. A turned shape has a transform. */
function boxOf(shape: XmlElement): Box | null {
  if (shape.name === 'g') {
    const boxes = childElements(shape)
      .map(boxOf)
      .filter((box) => box !== null);
    if (boxes.length === 0) return null;
    return {
      left: Math.min(...boxes.map(({ left }) => left)),
      top: Math.min(...boxes.map(({ top }) => top)),
      right: Math.max(...boxes.map(({ right }) => right)),
      bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
    };
  }
  const { x, y, width, height, transform = '' } = shape.attributes;
  const [, toX, toY] = /translate\s?\(([\d.a-z-]+)[\s,]+([\d.a-z-]+)\)/.exec(transform) ?? [];
  const [left, top] = [inches(x ?? toX), inches(y ?? toY)];
  const [right, bottom] = [left + inches(width), top + inches(height)];
  return Number.isFinite(right) && Number.isFinite(bottom) ? { left, top, right, bottom } : null;
}

const UNITS: Readonly<Record<string, number>> = {
  in: 1,
  cm: 1 / 2.54,
  mm: 1 / 25.4,
  pt: 1 / 72,
  pc: 1 / 6,
  px: 1 / 96,
};

/** @returns NaN for what is no length */
function inches(length = ''): number {
  const [, number, unit = ''] = /^(-?\d{0,9}(?:\.\d{0,20})?)([a-z]{2})$/.exec(length) ?? [];
  return Number(number) * (UNITS[unit] ?? Number.NaN);
}
