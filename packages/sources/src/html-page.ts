/** A page of HTML around a text that is HTML. Nothing in it depends on the time. */
export function htmlPage({
  title,
  base,
  date,
  html,
}: {
  /** Plain text. Empty for a page without a heading. */
  readonly title: string;
  /** What relative links are relative to. */
  readonly base: string;
  readonly date: Date | null;
  readonly html: string;
}): string {
  const written = date === null ? '' : `<meta name="date" content="${date.toISOString()}">`;
  return [
    `<!doctype html><html><head><meta charset="utf-8"><base href="${escapeHtml(base)}">`,
    `<title>${escapeHtml(title)}</title>${written}</head><body><article>`,
    `${title === '' ? '' : `<h1>${escapeHtml(title)}</h1>`}\n${html}\n</article></body></html>`,
  ].join('\n');
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
