import { productTokenOf } from './robots-file.js';

/** What a page asks of those who index it. */
export interface RobotsDirectives {
  /** Do not show this page. */
  readonly noindex: boolean;
  /** Do not follow its links. */
  readonly nofollow: boolean;
}

/** Directives that have a value. Any other word before a colon is the name of a crawler. */
const WITH_VALUE = /^(unavailable_after|max-(snippet|image-preview|video-preview))$/;

/**
 * Reads `X-Robots-Tag` headers, or the contents of `<meta name="robots">`: comma-separated directives. In a
 * header they may follow the name of a crawler (`otherbot: noindex, nofollow`), and directives for other
 * crawlers are ignored. `none` means both directives. The strictest directive applies. Dates
 * (`unavailable_after`) are ignored.
 *
 * @param productToken our name, as for `RobotsFile.rulesFor`
 */
export function readRobotsDirectives(values: readonly string[], productToken: string): RobotsDirectives {
  const own = productTokenOf(productToken);
  const directives = values.flatMap((value) => directivesFor(own, value));
  const has = (name: string): boolean => directives.includes(name) || directives.includes('none');
  return { noindex: has('noindex'), nofollow: has('nofollow') };
}

function directivesFor(own: string, value: string): string[] {
  const directives: string[] = [];
  let isForUs = true;
  for (const part of value.toLowerCase().split(',')) {
    const [, name = '', directive = ''] = /^\s*(?:([a-z_-]+)\s*:)?(.*)$/s.exec(part) ?? [];
    if (WITH_VALUE.test(name)) continue;
    if (name !== '') isForUs = name === own || name === 'robots';
    if (isForUs) directives.push(directive.trim());
  }
  return directives;
}
