import type { WebFetchError } from '@citewell/web';
import { SourceError, type SourceErrorKind } from '../source.js';
import { RcloneError } from './rclone.js';

const RETRY_AFTER_MS = 60_000;
const MAX_MESSAGE_CHARACTERS = 300;

/**
 * Where the texts of rclone's backends have a status: of HTTP as Go (`401 Unauthorized`), AWS (`StatusCode: 403`) and Google
 * (`Error 403:`) write it, and of FTP (`530 Login incorrect`).
 */
const STATUS = /(?:StatusCode: |[Ss]tatus(?: [Cc]ode)?:? |Error )(\d{3})\b|(?<![\w/.:-])(\d{3}) "?[A-Z]/g;
const KINDS: Readonly<Record<string, SourceErrorKind>> = {
  401: 'denied',
  403: 'denied',
  407: 'denied',
  429: 'limited',
  530: 'denied',
};
/** Statuses of a login that is refused. */
const LOGIN_STATUSES = new Set(['401', '530']);
/**
 * Logins that are refused without a status: the texts of Go's SSH, OAuth 2.0 (RFC 6749, section 5.2), SMB for
 * STATUS_LOGON_FAILURE, and rclone for a token that cannot be renewed.
 */
const LOGIN_REFUSAL =
  /unable to authenticate|invalid_grant|invalid_client|logon is invalid|empty token|expired and there's no refresh token/;
/** Other refusals without a status: of Go's SSH, and of rclone for a path that is no folder. */
const REFUSAL = /host key|is a file not a directory/;

export interface StorageFailure {
  readonly error: unknown;
  /** The first connection that the guard refused, or that failed, during the call. */
  readonly connection: WebFetchError | null;
  /** Texts that are removed from messages. */
  readonly secretTexts: readonly string[];
}

/** @param subject what could not be read, as the subject of a sentence */
export function storageError(
  subject: string,
  { error, connection, secretTexts }: StorageFailure,
): SourceError {
  if (!(error instanceof RcloneError)) {
    if (error instanceof SourceError) return error;
    return new SourceError('unavailable', `${subject} could not be read.`, { cause: error });
  }
  if (connection !== null) {
    const isFinal = connection.kind === 'blocked' || connection.code === 'DNS_FAILED';
    return new SourceError(isFinal ? 'denied' : 'unavailable', connection.userMessage);
  }
  const text = secretTexts.reduce((all, secret) => all.replaceAll(secret, '…'), error.message);
  const { kind, isLogin } = refusalOf(error.message);
  const problem = isLogin
    ? 'The storage refuses the user name, or the password or token.'
    : `${subject} could not be read.`;
  return new SourceError(
    kind,
    `${problem} The storage answered: ${shortened(text)}`,
    kind === 'limited' ? { retryAfterMs: RETRY_AFTER_MS } : {},
  );
}

function refusalOf(text: string): { kind: SourceErrorKind; isLogin: boolean } {
  for (const [, http, other] of text.matchAll(STATUS)) {
    const status = http ?? other ?? '';
    const kind = KINDS[status];
    if (kind !== undefined) return { kind, isLogin: LOGIN_STATUSES.has(status) };
  }
  const isLogin = LOGIN_REFUSAL.test(text);
  return { kind: isLogin || REFUSAL.test(text) ? 'denied' : 'unavailable', isLogin };
}

/** On one line, without the queries of URLs, which may contain credentials. */
function shortened(text: string): string {
  const line = text
    .replace(/\?[^\s"']*/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > MAX_MESSAGE_CHARACTERS ? `${line.slice(0, MAX_MESSAGE_CHARACTERS)} …` : line;
}
