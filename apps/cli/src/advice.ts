type Advice = (datasourceId: string) => string;

const CRAWLS: Advice = () => 'See docs/web-sites.md.';
const FILES: Advice = () => 'See docs/files.md.';
const MEMBERS: Advice = (id) => `List their errors with "citewell ls --group ${id} --status error".`;
const USAGE: Advice = () => 'Show the usage with "citewell status".';
const KEYS: Advice = () => 'On the server, "citewell keys create --organization default" creates a key.';

/** By the code of an error: of the API, or of a datasource. */
const ADVICE: Readonly<Record<string, Advice>> = {
  UNAUTHORIZED: KEYS,
  FORBIDDEN: KEYS,
  USAGE_LIMIT: USAGE,
  STORAGE_FULL: USAGE,
  UNSUPPORTED_MEDIA_TYPE: FILES,
  UNSUPPORTED_FILE: FILES,
  OCR_REQUIRED: FILES,
  TOO_COMPLEX: FILES,
  ARCHIVE_EMPTY: FILES,
  ARCHIVE_FAILED: MEMBERS,
  SITE_FAILED: MEMBERS,
  PARTIAL: (id) => `${MEMBERS(id)} For web sites, see docs/web-sites.md.`,
  SITE_EMPTY: (id) => `List its addresses with "citewell ls urls --group ${id}", and see docs/web-sites.md.`,
  NOT_A_PAGE: CRAWLS,
  NOINDEX: CRAWLS,
  ROBOTS_DISALLOWED: CRAWLS,
  RENDER_UNAVAILABLE: CRAWLS,
};

/** Appends the command or the guide that helps to the message of an error, if there is one. */
export function withAdvice(message: string, code: string, datasourceId = '<id>'): string {
  const advice = Object.hasOwn(ADVICE, code) ? ADVICE[code] : undefined;
  return advice ? `${message} ${advice(datasourceId)}` : message;
}
