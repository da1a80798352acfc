import type { Box } from '../office/position-order.js';
import { childElements, descendant, descendants, type XmlElement } from '../xml/xml-tree.js';

/** A placeholder: its type, by default `obj` (ECMA-376 Part 1, 19.3.1.36), and the index that its layout gives it. */
export interface Placeholder {
  readonly type: string;
  readonly index: string;
}

/** Placeholders of a layout that take their place from one of another type in the master. */
const MASTER_TYPES: Readonly<Record<string, string>> = { ctrTitle: 'title', subTitle: 'body', obj: 'body' };

export function placeholderOf(shape: XmlElement): Placeholder | undefined {
  const element = descendants(shape, 'ph').next().value;
  if (!element) return undefined;
  const { type = 'obj', idx: index = '0' } = element.attributes;
  return { type, index };
}

/** The box of a shape or group by its own transform; undefined for placeholders that inherit it. */
export function ownBox(shape: XmlElement): Box | undefined {
  const properties = childElements(shape).find(({ name }) => name === 'spPr' || name === 'grpSpPr');
  const transform = descendant(properties, 'xfrm') ?? descendant(shape, 'xfrm');
  const offset = descendant(transform, 'off')?.attributes;
  const extent = descendant(transform, 'ext')?.attributes;
  if (offset === undefined || extent === undefined) return undefined;
  const [left, top] = [Number(offset['x']), Number(offset['y'])];
  const [width, height] = [Number(extent['cx']), Number(extent['cy'])];
  if (![left, top, width, height].every(Number.isFinite)) return undefined;
  return { left, top, right: left + width, bottom: top + height };
}

/** The smallest box around others. */
export function unionBox(boxes: readonly Box[]): Box | undefined {
  if (boxes.length === 0) return undefined;
  return {
    left: Math.min(...boxes.map(({ left }) => left)),
    top: Math.min(...boxes.map(({ top }) => top)),
    right: Math.max(...boxes.map(({ right }) => right)),
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
  };
}

/** The places of placeholders that do not have one of their own: those of the layout, else of the master. */
export class PlaceholderBoxes {
  private readonly layout: readonly (readonly [Placeholder, Box])[];
  private readonly master: readonly (readonly [Placeholder, Box])[];

  /** @param trees the shape trees of layout and master */
  constructor(layout: XmlElement | undefined, master: XmlElement | undefined) {
    this.master = placed(master);
    this.layout = placed(layout, (placeholder) => this.inMaster(placeholder));
  }

  of(placeholder: Placeholder): Box | undefined {
    const { type, index } = placeholder;
    const inLayout =
      this.layout.find(([other]) => other.index === index && (index !== '0' || other.type === type)) ??
      this.layout.find(([other]) => other.type === type);
    return inLayout?.[1] ?? this.inMaster(placeholder);
  }

  private inMaster({ type }: Placeholder): Box | undefined {
    const wanted = MASTER_TYPES[type] ?? type;
    return this.master.find(([other]) => other.type === wanted)?.[1];
  }
}

function placed(
  tree: XmlElement | undefined,
  inherited: (placeholder: Placeholder) => Box | undefined = () => undefined,
): (readonly [Placeholder, Box])[] {
  return (tree === undefined ? [] : [...descendants(tree, 'sp')]).flatMap((shape) => {
    const placeholder = placeholderOf(shape);
    const box = placeholder === undefined ? undefined : (ownBox(shape) ?? inherited(placeholder));
    return placeholder === undefined || box === undefined ? [] : [[placeholder, box] as const];
  });
}
