/** Elements whose content is not the text of a page. */
const LEFT_OUT = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'svg',
  'nav',
  'header',
  'footer',
  'aside',
  'form',
]);

/**
 * How many letters and digits a page shows outside of menus, in time linear to its length. It is an estimate: markup is
 * skipped, not parsed.
 */
export function textLengthOf(html: string): number {
  let length = 0;
  let left: string | null = null;
  for (let at = 0; at < html.length;) {
    const start = html.indexOf('<', at);
    const text = html.slice(at, start === -1 ? html.length : start);
    if (left === null) length += text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    const end = start === -1 ? -1 : html.indexOf('>', start);
    if (end === -1) break;
    const [, slash, name = ''] = /^<(\/?)([a-z][a-z0-9]*)/i.exec(html.slice(start, start + 40)) ?? [];
    const element = name.toLowerCase();
    if (left === null && slash === '' && LEFT_OUT.has(element)) left = element;
    else if (slash === '/' && element === left) left = null;
    at = end + 1;
  }
  return length;
}
