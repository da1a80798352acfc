import { ConfigError } from '@citewell/config';
import {
  chooseLanguage,
  ENGLISH_ERRORS,
  type ErrorTranslator,
  loadErrorTranslator,
} from '@citewell/contracts/messages';
import { CitewellError, DatasourceFailedError } from '@citewell/sdk';
import { inOneLine } from './terminal/output.js';

/** Exit code of a command that failed. */
export const EXIT_FAILED = 1;
/** Exit code for an invalid command line or configuration. The command had no effect. */
export const EXIT_USAGE = 2;
/** Exit code after Ctrl-C: 128 and the number of the signal. */
export const EXIT_INTERRUPTED = 130;

let translator: ErrorTranslator = ENGLISH_ERRORS;

/** Says the errors of the service in the language of the terminal from now on. */
export async function loadErrorLanguage(env: NodeJS.ProcessEnv): Promise<void> {
  const locale = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '';
  translator = await loadErrorTranslator(chooseLanguage([locale]));
}

/** Says the errors of the service. */
export function errorTranslator(): ErrorTranslator {
  return translator;
}

/** An error of the API or of a datasource in one line: the sentence of its code, and what the service says beyond that. */
export function errorLine({
  code,
  message,
  details,
}: Pick<CitewellError, 'code' | 'message'> & Partial<Pick<CitewellError, 'details'>>): string {
  const { sentence, detail } = translator.describe({ code, message, details });
  return inOneLine(detail === null ? sentence : `${sentence} ${detail}`);
}

/** Converts an error to a message for the terminal and an exit code. */
export function describeError(error: unknown): { message: string; exitCode: number } {
  if (error instanceof UsageError) return { message: error.message, exitCode: EXIT_USAGE };
  if (error instanceof ConfigError) return { message: error.problems.join('; '), exitCode: EXIT_USAGE };
  if (error instanceof CitewellError) return { message: describeCitewellError(error), exitCode: EXIT_FAILED };
  if (isFileError(error, 'ENOENT'))
    return { message: `There is no file or folder ${error.path}.`, exitCode: EXIT_FAILED };
  if (isFileError(error, 'EACCES') || isFileError(error, 'EPERM'))
    return { message: `${error.path} cannot be opened. Check its permissions.`, exitCode: EXIT_FAILED };
  return { message: error instanceof Error ? error.message : String(error), exitCode: EXIT_FAILED };
}

function isFileError(error: unknown, code: string): error is Error & { path: string } {
  return error instanceof Error && 'code' in error && error.code === code && 'path' in error;
}

function describeCitewellError(error: CitewellError): string {
  const { code, retryAfterSeconds, requestId, status } = error;
  const text = errorLine(error);
  if (code === 'NETWORK')
    return `${text} Check that the service is running and that CITEWELL_URL is its address.`;
  if (code === 'UNAUTHORIZED')
    return withAdvice('The service rejected the API key. Check CITEWELL_API_KEY.', code);
  if (code === 'RATE_LIMIT')
    return retryAfterSeconds === null ? text : `${text} Try again in ${retryAfterSeconds} s.`;
  const request = status >= 500 && requestId !== null ? `, request ${requestId}` : '';
  const datasourceId = error instanceof DatasourceFailedError ? error.datasource.id : undefined;
  return withAdvice(`${text} (${code}${request})`, code, datasourceId);
}

/** Invalid command line. The message says what is wrong and how to correct it. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

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
