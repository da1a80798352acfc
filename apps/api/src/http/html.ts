/** HTML that needs no escaping. Made by {@link html}. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = string | number | Html | readonly Html[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Template tag: values are escaped unless they are {@link Html} themselves. Quote the values of attributes. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const text = strings.map((string, index) => string + (index < values.length ? textOf(values[index]) : ''));
  return new Html(text.join(''));
}

function textOf(value: Value | undefined): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return String(value ?? '').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/**
 * The headers of a page of the service. It loads nothing but what `sources` allows, and cannot be part of another page.
 *
 * @param sources directives of the Content-Security-Policy, such as `script-src 'self'`
 */
export function pageHeaders(sources: readonly string[]): Record<string, string> {
  const directives = [
    "default-src 'none'",
    ...sources,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'Content-Security-Policy': directives.join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  };
}
