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
