import type { HtmlElement } from './html-tree.js';

/** Attributes that name the element that a click opens, besides those of data with an id such as `#terms`. */
const CONTROL_ATTRIBUTES: ReadonlySet<string> = new Set([
  'aria-controls',
  'commandfor',
  'data-a11y-dialog-show',
  'data-bs-target',
  'data-micromodal-trigger',
  'data-modal-target',
  'data-open',
  'data-reveal-id',
  'data-target',
  'onclick',
  'popovertarget',
]);
const ID_IN_SCRIPT = /["']#?([\w:.-]+)["']|([\w$]+)(\.show(?:Modal|Popover)?\()?/g;
const HASH = 0x23;

/** Whether an attribute names an element that a click opens. The parser collects elements with such attributes. */
export function isControlAttribute(name: string, value: string): boolean {
  if (value.charCodeAt(0) === HASH) return name === 'href' || name.startsWith('data-');
  return name.length > 6 && CONTROL_ATTRIBUTES.has(name);
}

/** The elements of a page that open others, by the id of the opened one. */
export class PageControls {
  private byTarget: Map<string, HtmlElement> | undefined;

  constructor(private readonly controls: readonly HtmlElement[]) {}

  /** The control that opens the element. */
  of(element: HtmlElement): HtmlElement | undefined {
    const id = element.attribute('id');
    if (id === undefined) return undefined;
    this.byTarget ??= this.collect();
    return this.byTarget.get(id);
  }

  private collect(): Map<string, HtmlElement> {
    const byTarget = new Map<string, HtmlElement>();
    for (const control of this.controls)
      for (const id of targetsOf(control)) if (!byTarget.has(id)) byTarget.set(id, control);
    return byTarget;
  }
}

/** The ids of the elements that a control opens. */
export function targetsOf({ attributes }: HtmlElement): string[] {
  const ids: string[] = [];
  for (const [name, value] of attributes) {
    if (name === 'onclick') {
      for (const [, quoted, variable, call] of value.matchAll(ID_IN_SCRIPT))
        ids.push(quoted ?? (call === undefined ? '' : (variable ?? '').replace(/^\$+/, '')));
    } else if (isControlAttribute(name, value))
      ids.push(...value.split(/\s+/).map((target) => target.replace(/^#/, '')));
  }
  return ids.filter((id) => id !== '');
}

const TOGGLE = /accordion|collaps|disclosure|expand|faq|question|toggle|trigger/i;

/** Whether a button is marked as something that opens an element when it is clicked. */
export function isToggle({ attributes }: HtmlElement): boolean {
  return (
    attributes.has('aria-expanded') ||
    attributes.get('role') === 'tab' ||
    TOGGLE.test(attributes.get('class') ?? '') ||
    [...attributes.keys()].some((name) => CONTROL_ATTRIBUTES.has(name))
  );
}
