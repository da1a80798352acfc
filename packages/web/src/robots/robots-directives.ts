import { productTokenOf } from './robots-file.js';

/** What a page asks of those who index it. */
export interface RobotsDirectives {
  /** Do not show this page. */
  readonly noindex: boolean;
  /** Do not follow its links. */
  readonly nofollow: boolean;
}

/** Directives that have a value; any other word before a colon is a crawler's name. */
const WITH_VALUE = /^max-(snippet|image-preview|video-preview)$/;

/**
 * Reads `X-Robots-Tag` headers, or the contents of `<meta name="robots">`: comma-separated directives, in a header
 * possibly after a crawler's name, `otherbot: noindex, nofollow`. What is meant for others does not count. `none` is
 * both, and a date in `unavailable_after` that has passed is `noindex`. The strictest wins.
 *
 * @param productToken our name, as for `RobotsFile.rulesFor`
 */
export function readRobotsDirectives(
  values: readonly string[],
  productToken: string,
  nowMs: number = Date.now(),
): RobotsDirectives {
  const own = productTokenOf(productToken);
  const directives = values.flatMap((value) => directivesFor(own, value, nowMs));
  const says = (name: string): boolean => directives.includes(name) || directives.includes('none');
  return { noindex: says('noindex'), nofollow: says('nofollow') };
}

function directivesFor(own: string, value: string, nowMs: number): string[] {
  const directives: string[] = [];
  const parts = value.toLowerCase().split(',');
  let isForUs = true;
  for (const [index, part] of parts.entries()) {
    const colon = part.indexOf(':');
    const name = part.slice(0, Math.max(colon, 0)).trim();
    const rest = part.slice(colon + 1).trim();
    if (name === 'unavailable_after') {
      // `Fri, 20 Nov 2026` has a comma in it: what has no digit yet goes on in the next part.
      const dateMs = Date.parse(/\d/.test(rest) ? rest : `${rest},${parts[index + 1] ?? ''}`);
      if (isForUs && dateMs < nowMs) directives.push('noindex');
    } else if (!WITH_VALUE.test(name)) {
      // A time of day has colons too, but no crawler's name before them.
      if (/^[a-z_-]+$/.test(name)) isForUs = name === own || name === 'robots';
      if (isForUs) directives.push(rest);
    }
  }
  return directives;
}
