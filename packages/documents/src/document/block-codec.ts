import { shortTitle } from './canonical-text.js';
import { BLOCK_KINDS, type Block, MAX_HEADING_LEVEL } from './document.js';
import { assertRecord, isOffset, isPositiveInteger, isStringArray } from './outline-values.js';

/**
 * A block in an outline. Its place is a reference: with titles and anchors written out, the outline of a page would
 * grow with its blocks times the headings above them, and a page of ten megabytes could make one of gigabytes.
 */
interface OutlineBlock extends Omit<Block, 'headingPath' | 'anchor'> {
  /** Which block is the innermost heading above this one. Absent where there is none. */
  readonly under?: number;
  /** Absent where it is that of the block before; `null` where there is none any more. */
  readonly anchor?: string | null;
}

/** @param blocks of a document as `DocumentBuilder` makes it: their paths are those of the headings among them */
export function encodeBlocks(blocks: readonly Block[]): OutlineBlock[] {
  const above: number[] = [];
  let last: string | undefined;
  return blocks.map(({ headingPath, anchor, ...block }, index) => {
    // A path that is shorter than it was has left headings.
    above.length = Math.min(above.length, headingPath.length);
    const under = above.at(-1);
    if (block.kind === 'heading') above.push(index);
    const place = anchor === last ? {} : { anchor: anchor ?? null };
    last = anchor;
    return { ...block, ...(under === undefined ? {} : { under }), ...place };
  });
}

/** @throws TypeError when the blocks do not belong to the text */
export function decodeBlocks(text: string, blocks: readonly unknown[]): Block[] {
  const decoder = new BlockDecoder(text);
  return blocks.map((block) => decoder.next(block));
}

/** A heading that blocks can be under. */
interface Section {
  readonly level: number;
  /** Of what is under it; one array for all of that. */
  readonly path: readonly string[];
}

class BlockDecoder {
  private readonly sections = new Map<number, Section>();
  private index = 0;
  private end = 0;
  private anchor: string | undefined;

  constructor(private readonly text: string) {}

  next(block: unknown): Block {
    assertRecord(block, 'block');
    const { start, end, level, page, headerEnd } = block;
    const kind = BLOCK_KINDS.find((known) => known === block['kind']);
    if (kind === undefined) throw new TypeError('unknown kind of block');
    if (!isOffset(start) || !isOffset(end) || start < this.end || end <= start || end > this.text.length) {
      throw new TypeError('a block lies outside the text or overlaps another');
    }
    const above = this.sectionAbove(block);
    if (kind === 'heading') this.addSection(level, above, this.text.slice(start, end));
    const headingPath = this.writtenPath(block) ?? above?.path ?? [];
    const anchor = this.anchorOf(block);
    this.end = end;
    this.index += 1;
    return {
      kind,
      start,
      end,
      headingPath,
      ...(isPositiveInteger(level) ? { level } : {}),
      ...(isPositiveInteger(page) ? { page } : {}),
      ...(anchor === undefined ? {} : { anchor }),
      ...(isOffset(headerEnd) && headerEnd > start && headerEnd <= end ? { headerEnd } : {}),
    };
  }

  private sectionAbove({ under }: Record<string, unknown>): Section | undefined {
    if (under === undefined) return undefined;
    const section = isOffset(under) ? this.sections.get(under) : undefined;
    if (section === undefined) throw new TypeError('a block is under something that is no heading above it');
    return section;
  }

  /** Levels grow inwards and end, so that no path is longer than they are many. */
  private addSection(level: unknown, above: Section | undefined, heading: string): void {
    if (!isPositiveInteger(level) || level > MAX_HEADING_LEVEL || level <= (above?.level ?? 0)) {
      throw new TypeError('a heading of a level that it cannot have');
    }
    this.sections.set(this.index, { level, path: [...(above?.path ?? []), shortTitle(heading)] });
  }

  /** Until version 5 of the pipeline every block had its path and its anchor written out. */
  private writtenPath({ headingPath }: Record<string, unknown>): readonly string[] | undefined {
    if (headingPath === undefined) return undefined;
    if (!isStringArray(headingPath)) throw new TypeError('headingPath is no array of strings');
    return headingPath;
  }

  private anchorOf({ anchor, headingPath }: Record<string, unknown>): string | undefined {
    if (anchor === undefined && headingPath === undefined) return this.anchor;
    this.anchor = typeof anchor === 'string' ? anchor : undefined;
    return this.anchor;
  }
}
