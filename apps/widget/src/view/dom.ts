const SVG = 'http://www.w3.org/2000/svg';

/** Creates an element with properties. Children are nodes or plain text, never markup. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Outlines on a grid of 24 × 24. */
const ICONS = {
  chat: 'M4 5h16v11H9l-5 4z M8 9h8 M8 12h5',
  close: 'M6 6l12 12 M18 6L6 18',
  startOver: 'M4 12a8 8 0 1 0 2.6-5.9 M4 4v4.5h4.5',
  send: 'M12 19V5 M6 11l6-6 6 6',
  stop: 'M7 7h10v10H7z',
  open: 'M13 5h6v6 M19 5l-8 8 M17 14v5H5V7h5',
};

/** An icon without a name: its button has one. */
function icon(name: keyof typeof ICONS): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  const path = document.createElementNS(SVG, 'path');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
}

/** A button that shows an icon. Its name is a label for screen readers, and a tooltip. */
export function iconButton(
  name: keyof typeof ICONS,
  label: string,
  properties: Partial<HTMLButtonElement> = {},
): HTMLButtonElement {
  return make('button', { type: 'button', ariaLabel: label, title: label, ...properties }, icon(name));
}

/** A link to a page outside of the widget. It learns nothing about the page that it comes from. */
export function externalLink(href: string, ...children: readonly (Node | string)[]): HTMLAnchorElement {
  return make('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow' }, ...children);
}

/** A link with the icon of links that leave the page. */
export function documentLink(href: string, label: string): HTMLAnchorElement {
  return externalLink(href, label, icon('open'));
}

/** Sets the color of buttons and links, and the color of the text on it. An invalid color is ignored. */
export function setAccent(host: HTMLElement, color: string): void {
  if (!CSS.supports('color', color)) return;
  host.style.setProperty('--accent', color);
  host.style.setProperty('--on-accent', isLight(host, color) ? '#111' : '#fff');
}

/** Whether black text on the color has more contrast than white text (WCAG 2, relative luminance). */
function isLight(host: HTMLElement, color: string): boolean {
  const probe = document.createElement('span');
  probe.style.color = `color-mix(in srgb, ${color}, transparent 0%)`;
  host.shadowRoot?.append(probe);
  // As `color(srgb 0.1 0.2 0.3)`.
  const channels = getComputedStyle(probe).color.split(' ');
  probe.remove();
  const [, red = 0, green = 0, blue = 0] = channels
    .map(Number.parseFloat)
    .map((channel) => (channel <= 0.040_45 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179;
}
