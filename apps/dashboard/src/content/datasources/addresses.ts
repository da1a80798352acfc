/** What the lines of a text field are, as addresses. */
export interface Addresses {
  readonly urls: readonly string[];
  /** The first line that is not an address; null if all are. */
  readonly invalid: string | null;
}

/** Reads one address per line. An address without a scheme, such as `example.com/docs`, gets `https://`. */
export function readAddresses(lines: string): Addresses {
  const urls: string[] = [];
  for (const line of linesOf(lines)) {
    const url = toAddress(line);
    if (url === null) return { urls, invalid: line };
    urls.push(url);
  }
  return { urls, invalid: null };
}

/** The lines of a text field that are not blank. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function toAddress(line: string): string | null {
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(line);
  const url = URL.parse(hasScheme ? line : `https://${line}`);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return null;
  return hasScheme || url.hostname.includes('.') ? url.href : null;
}
