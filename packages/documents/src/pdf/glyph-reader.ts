import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { symbolText } from '../office/symbol-fonts.js';
import { advanceDown, type EngineGlyph, type Glyph, type Visibility } from './glyph.js';
import { glyphOfDrawing, ownTextOf, replacedGlyphs } from './glyph-text.js';
import { FIRST_STATE, type GraphicsState, type MarkedContent } from './graphics-state.js';
import type { PageFont } from './page-fonts.js';
import {
  areApart,
  areaOf,
  type Box,
  boxOf,
  IDENTITY,
  intersect,
  type Matrix,
  matrixOf,
  multiply,
  transformBox,
  union,
} from './page-geometry.js';
import { pdfEngine } from './pdf-engine.js';

/** A group of optional content, such as a layer. The engine defines its shape. */
type OptionalContent = unknown;

export interface GlyphSource {
  readonly page: PDFPageProxy;
  readonly fontOf: (id: string) => PageFont;
  readonly isShown: (content: OptionalContent) => boolean;
  /** Ids of the annotations that are read as parts of the page. */
  readonly annotations: ReadonlySet<unknown>;
}

type Engine = Awaited<ReturnType<typeof pdfEngine>>;

const INVISIBLE_MODE = 3;
/** Fewer shapes are rules and boxes. */
const MIN_OUTLINE_SHAPES = 20;
/** Smaller text, in points, is hidden. */
const MIN_FONT_SIZE = 0.2;
/** Font size, in points, of text in place of a drawing on a page without other text. */
const DEFAULT_FONT_SIZE = 10;
/** With more painted areas, white text counts as visible. */
const MAX_PAINTED = 2000;
const WHITE = '#ffffff';
/** Characters without a shape. */
const IGNORED = /^[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]*$/;
const SPACE = /^\s+$/;
/** The font Symbol has neither letters nor private characters, but other signs of Latin-1. */
const SYMBOL_CODE = /^[A-Za-z\uf000-\uf0ff]$/;
const UNIT_SQUARE: Box = { left: 0, bottom: 0, right: 1, top: 1 };

export interface PageGlyphs {
  /** In drawing order. */
  readonly glyphs: readonly Glyph[];
  /** Area of all pictures in square points. Parts under other pictures count twice. */
  readonly pictureArea: number;
  /** Whether there are pictures, or as many shapes as letters have that are drawn as outlines. */
  readonly hasDrawings: boolean;
}

/** Reads the glyphs of a page. */
export async function readGlyphs(source: GlyphSource): Promise<PageGlyphs> {
  const engine = await pdfEngine();
  const { fnArray, argsArray } = await source.page.getOperatorList({
    annotationMode:
      source.annotations.size === 0 ? engine.AnnotationMode.DISABLE : engine.AnnotationMode.ENABLE_FORMS,
  });
  const reader = new GlyphReader(source, engine);
  for (const [index, operator] of fnArray.entries()) {
    const args: unknown = argsArray[index];
    reader.execute(operator, Array.isArray(args) ? args : []);
  }
  return reader;
}

/** Executes the drawing operators of a page (ISO 32000-1, Annex A) and collects the glyphs. */
class GlyphReader implements PageGlyphs {
  readonly glyphs: Glyph[] = [];
  pictureArea = 0;
  private hasPictures = false;
  private shapes = 0;
  private readonly view: Box;
  private state: GraphicsState;
  private readonly stack: GraphicsState[] = [];
  private textMatrix: Matrix = IDENTITY;
  /** Position of the line and of the next glyph in the coordinates of the text matrix. */
  private line = { x: 0, y: 0 };
  private at = { x: 0, y: 0 };
  private pendingClip = false;
  /** Areas under which text may be visible although it is white; null when they are unknown. */
  private painted: Box[] | null = [];
  private readonly content: MarkedContent[] = [];
  /** What has been painted since the beginning of the content that has a text. */
  private drawn: Box | null = null;
  private hiddenGroups = 0;
  /** Open groups that are masks of others: they are not drawn. */
  private maskDepth = 0;
  private readonly handlers: ReadonlyMap<number, (args: readonly unknown[]) => void>;

  constructor(
    private readonly source: GlyphSource,
    { OPS }: Engine,
  ) {
    this.view = boxOf(source.page.view) ?? {
      left: -Infinity,
      bottom: -Infinity,
      right: Infinity,
      top: Infinity,
    };
    this.state = { ...FIRST_STATE, clip: this.view };
    this.handlers = this.handlersOf(OPS);
  }

  get hasDrawings(): boolean {
    return this.hasPictures || this.shapes >= MIN_OUTLINE_SHAPES;
  }

  execute(operator: number, args: readonly unknown[]): void {
    this.handlers.get(operator)?.(args);
  }

  private handlersOf(ops: Engine['OPS']): ReadonlyMap<number, (args: readonly unknown[]) => void> {
    const set = (key: 'letterSpacing' | 'wordSpacing' | 'leading' | 'rise' | 'renderingMode') => {
      return ([value]: readonly unknown[]): void => void (this.state[key] = Number(value) || 0);
    };
    return new Map<number, (args: readonly unknown[]) => void>([
      [ops.save, () => this.save()],
      [ops.restore, () => this.restore()],
      [ops.transform, (args) => void (this.state.ctm = multiply(this.state.ctm, matrixOf(args) ?? IDENTITY))],
      [ops.paintFormXObjectBegin, (args) => this.beginForm(args)],
      [ops.paintFormXObjectEnd, () => this.restore()],
      [ops.beginAnnotation, (args) => this.beginAnnotation(args)],
      [
        ops.endAnnotation,
        () => {
          this.restore();
          this.maskDepth = 0;
        },
      ],
      [ops.beginGroup, ([group]) => this.beginGroup(group)],
      [ops.endGroup, () => this.endGroup()],
      [ops.beginMarkedContent, () => this.beginContent(true, null)],
      [
        ops.beginMarkedContentProps,
        ([tag, content, text]) => this.beginContent(tag !== 'OC' || this.source.isShown(content), text),
      ],
      [ops.endMarkedContent, () => this.endContent()],
      [ops.clip, () => void (this.pendingClip = true)],
      [ops.eoClip, () => void (this.pendingClip = true)],
      [ops.constructPath, ([paint, , bounds]) => this.addPath(Number(paint), bounds, ops)],
      [ops.shadingFill, () => this.paint(null)],
      // In place of pictures of all kinds, see `patches/pdfjs-dist.patch`.
      [ops.paintImageXObject, () => this.addPicture()],
      [ops.setFillRGBColor, ([color]) => void (this.state.isWhite = color === WHITE)],
      [ops.setFillColorN, () => void (this.state.isWhite = false)],
      [ops.setFillTransparent, () => void (this.state.isWhite = false)],
      [ops.beginText, () => this.setTextMatrix(IDENTITY)],
      [ops.setTextMatrix, ([matrix]) => this.setTextMatrix(matrixOf(matrix) ?? IDENTITY)],
      [ops.setFont, ([id, size]) => this.setFont(String(id), Number(size) || 0)],
      [ops.setGState, ([entries]) => this.setGraphicsState(entries)],
      [ops.setCharSpacing, set('letterSpacing')],
      [ops.setWordSpacing, set('wordSpacing')],
      [ops.setLeading, set('leading')],
      [ops.setTextRise, set('rise')],
      [ops.setTextRenderingMode, set('renderingMode')],
      [ops.setHScale, ([percent]) => void (this.state.scale = (Number(percent) || 0) / 100)],
      [ops.moveText, ([x, y]) => this.moveText(Number(x) || 0, Number(y) || 0)],
      [ops.setLeadingMoveText, ([x, y]) => this.moveWithLeading(Number(x) || 0, Number(y) || 0)],
      [ops.nextLine, () => this.moveText(0, -this.state.leading)],
      [ops.showText, ([glyphs]) => this.showText(Array.isArray(glyphs) ? glyphs : [])],
    ]);
  }

  private save(): void {
    this.stack.push({ ...this.state });
  }

  private restore(): void {
    this.state = this.stack.pop() ?? this.state;
  }

  private addPicture(): void {
    this.paint(UNIT_SQUARE);
    if (this.hiddenGroups > 0) return;
    this.hasPictures = true;
    if (this.maskDepth > 0) return;
    this.pictureArea += areaOf(intersect(transformBox(this.state.ctm, UNIT_SQUARE), this.state.clip));
  }

  private beginForm([matrix, bounds]: readonly unknown[]): void {
    this.save();
    this.state.ctm = multiply(this.state.ctm, matrixOf(matrix) ?? IDENTITY);
    this.clipTo(boxOf(bounds));
  }

  /** The drawing of an annotation (ISO 32000-1, 12.5.5) follows the content of the page. */
  private beginAnnotation([id, , placement, matrix]: readonly unknown[]): void {
    this.save();
    const ctm = multiply(matrixOf(placement) ?? IDENTITY, matrixOf(matrix) ?? IDENTITY);
    this.state = { ...FIRST_STATE, clip: this.view, ctm };
    this.maskDepth = this.source.annotations.has(id) ? 0 : 1;
  }

  private beginGroup(group: unknown): void {
    this.save();
    const isMask = typeof group === 'object' && group !== null && Boolean(Reflect.get(group, 'smask'));
    if (isMask || this.maskDepth > 0) this.maskDepth += 1;
  }

  private endGroup(): void {
    this.restore();
    if (this.maskDepth > 0) this.maskDepth -= 1;
  }

  /** The text of the outermost content wins. */
  private beginContent(isShown: boolean, text: unknown): void {
    const isWithinText = this.content.at(-1)?.isWithinText === true;
    const own = typeof text === 'string' && !isWithinText ? ownTextOf(text) : '';
    if (own !== '') this.drawn = null;
    const start = this.glyphs.length;
    this.content.push({ isShown, text: own, isWithinText: isWithinText || own !== '', start });
    if (!isShown) this.hiddenGroups += 1;
  }

  private endContent(): void {
    const content = this.content.pop();
    if (content?.isShown === false) this.hiddenGroups -= 1;
    if (content === undefined || content.text === '') return;
    const glyphs = this.glyphs.splice(content.start);
    const replaced = replacedGlyphs(content.text, glyphs.length > 0 ? glyphs : this.drawnGlyphs());
    for (const glyph of replaced) if (glyph.text !== '') this.glyphs.push(glyph);
  }

  private drawnGlyphs(): Glyph[] {
    const { drawn, state } = this;
    if (drawn === null || this.maskDepth > 0) return [];
    const isClipped = areApart(drawn, state.clip);
    return [
      glyphOfDrawing(drawn, {
        font: state.font ?? this.source.fontOf(''),
        fontSize: this.glyphs.at(-1)?.fontSize ?? DEFAULT_FONT_SIZE,
        visibility: this.hiddenGroups > 0 ? 'hidden' : isClipped ? 'clipped' : 'visible',
      }),
    ];
  }

  private addPath(paint: number, bounds: unknown, ops: Engine['OPS']): void {
    const box = boxOf(bounds);
    this.shapes += 1;
    const isEmpty = bounds === null || bounds === undefined;
    if (paint !== ops.endPath && !this.state.isWhite && !isEmpty) this.paint(box);
    // A clipping operator comes before the operator that ends its path.
    if (this.pendingClip) this.clipTo(box);
    this.pendingClip = false;
  }

  private clipTo(box: Box | null): void {
    if (box !== null) this.state.clip = intersect(this.state.clip, transformBox(this.state.ctm, box));
  }

  /** @param box null when its size is unknown */
  private paint(box: Box | null): void {
    const area = box === null ? null : transformBox(this.state.ctm, box);
    if (area !== null) this.drawn = this.drawn === null ? area : union(this.drawn, area);
    if (area === null || this.painted === null || this.painted.length >= MAX_PAINTED) this.painted = null;
    else this.painted.push(area);
  }

  private setTextMatrix(matrix: Matrix): void {
    this.textMatrix = matrix;
    this.line = { x: 0, y: 0 };
    this.at = { x: 0, y: 0 };
  }

  private setFont(id: string, size: number): void {
    this.state.font = this.source.fontOf(id);
    this.state.fontSize = size;
  }

  private setGraphicsState(entries: unknown): void {
    for (const entry of Array.isArray(entries) ? entries : []) {
      const [key, value]: readonly unknown[] = Array.isArray(entry) ? entry : [];
      if (key === 'Font' && Array.isArray(value)) this.setFont(String(value[0]), Number(value[1]) || 0);
    }
  }

  private moveText(x: number, y: number): void {
    this.line = { x: this.line.x + x, y: this.line.y + y };
    this.at = { ...this.line };
  }

  private moveWithLeading(x: number, y: number): void {
    this.state.leading = -y;
    this.moveText(x, y);
  }

  private showText(items: readonly unknown[]): void {
    const { font, fontSize, scale, letterSpacing, wordSpacing } = this.state;
    if (font === null || this.maskDepth > 0) return;
    const frame = this.textFrame(font);
    const unit = font.unit * fontSize;
    const toPoints = font.isVertical ? frame.down : scale * frame.along;
    for (const item of items) {
      if (typeof item === 'number') {
        this.advance(-(item * fontSize) / 1000, font.isVertical);
        continue;
      }
      // Not checked for each glyph: the engine makes them all.
      const glyph = item as EngineGlyph;
      const width = (font.isVertical ? advanceDown(glyph) : glyph.width) * unit;
      if (!IGNORED.test(glyph.unicode)) this.addGlyph(glyph, Math.abs(width * toPoints), frame);
      this.advance(width + letterSpacing + (glyph.isSpace ? wordSpacing : 0), font.isVertical);
    }
  }

  private advance(distance: number, isVertical: boolean): void {
    if (isVertical) this.at.y -= distance;
    else this.at.x += distance * this.state.scale;
  }

  /** Direction and size of the text that is shown next, in points. */
  private textFrame(font: PageFont): Frame {
    const matrix = multiply(this.state.ctm, this.textMatrix);
    const [a, b, c, d] = matrix;
    const along = Math.hypot(a, b);
    const down = Math.hypot(c, d);
    const sign = Math.sign(this.state.fontSize * this.state.scale) || 1;
    const [cos, sin] = font.isVertical
      ? [-c / (down || 1), -d / (down || 1)]
      : [(sign * a) / (along || 1), (sign * b) / (along || 1)];
    const turns = Math.round(Math.atan2(sin, cos) / (Math.PI / 2));
    const size = Math.abs(this.state.fontSize);
    const fontSize = size * (down || along) * (size <= 1 ? font.height : 1);
    const spacing = this.state.letterSpacing * this.state.scale * along;
    return { matrix, cos, sin, along, down, fontSize, font, spacing, quarterTurns: turns === -2 ? 2 : turns };
  }

  private addGlyph(glyph: EngineGlyph, width: number, frame: Frame): void {
    const { cos, sin, fontSize, font, quarterTurns, spacing } = frame;
    const isCode = font.symbols !== null && (font.symbols !== 'symbol' || SYMBOL_CODE.test(glyph.unicode));
    const unicode = isCode ? symbolText(glyph.unicode, font.symbols) : glyph.unicode;
    const [a, b, c, d, e, f] = frame.matrix;
    const { x, y } = this.at;
    const raised = y + this.state.rise;
    const left = a * x + c * raised + e;
    const bottom = b * x + d * raised + f;
    this.glyphs.push({
      text: SPACE.test(unicode) ? ' ' : unicode,
      x: left * cos + bottom * sin,
      y: bottom * cos - left * sin,
      width,
      fontSize,
      font,
      quarterTurns,
      letterSpacing: spacing,
      visibility: this.visibilityOf(left, bottom, width, frame),
      isUnknown: glyph.isUnknown && !isCode,
    });
  }

  private visibilityOf(left: number, bottom: number, width: number, frame: Frame): Visibility {
    const { clip, isWhite, renderingMode } = this.state;
    const { cos, sin, fontSize } = frame;
    if (this.hiddenGroups > 0 || Math.max(fontSize, width) < MIN_FONT_SIZE) return 'hidden';
    // The middle of a letter is mostly within the clipped area, which spares the exact comparison.
    const x = left + (width / 2) * cos;
    const y = bottom + (width / 2) * sin;
    const isWithin = x >= clip.left && x <= clip.right && y >= clip.bottom && y <= clip.top;
    if (!isWithin && areApart(boxOfGlyph(left, bottom, width, frame), clip)) return 'clipped';
    if (renderingMode === INVISIBLE_MODE) return 'unpainted';
    if (!isWhite || renderingMode !== 0 || this.painted === null) return 'visible';
    const box = boxOfGlyph(left, bottom, width, frame);
    return this.painted.every((area) => areApart(area, box)) ? 'hidden' : 'visible';
  }
}

/** From below the baseline to above the letters. */
function boxOfGlyph(left: number, bottom: number, width: number, { cos, sin, fontSize }: Frame): Box {
  return transformBox([cos, sin, -sin, cos, left, bottom], {
    left: 0,
    right: width,
    bottom: -fontSize / 4,
    top: fontSize * 0.75,
  });
}

interface Frame {
  readonly matrix: Matrix;
  readonly cos: number;
  readonly sin: number;
  /** Lengths of the unit vectors of text space in points. */
  readonly along: number;
  readonly down: number;
  readonly fontSize: number;
  readonly font: PageFont;
  readonly spacing: number;
  readonly quarterTurns: number;
}
