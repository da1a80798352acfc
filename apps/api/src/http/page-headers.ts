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
