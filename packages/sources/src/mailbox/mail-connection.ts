import type { MailboxSourceConfig } from '@citewell/contracts/schemas';
import { permittedAddress } from '@citewell/web';
import { ImapFlow, type ImapFlowError } from 'imapflow';
import { isPublic, networkError } from '../network-error.js';
import { SourceError } from '../source.js';

const CONNECT_TIMEOUT_MS = 20_000;
const GREETING_TIMEOUT_MS = 20_000;
const SILENCE_TIMEOUT_MS = 120_000;
/** Lines of responses, which have no content of messages. */
const MAX_LINE_BYTES = 64 * 1024 ** 2;
/** Contents are asked for in smaller parts, see `CHUNK_BYTES`. */
const MAX_LITERAL_BYTES = 64 * 1024 ** 2;
/** Codes with which a server asks to come later (RFC 5530; LIMIT is also that of rate limits). */
const LATER = new Set(['LIMIT', 'INUSE', 'UNAVAILABLE', 'OVERQUOTA', 'THROTTLED']);
/** Ways to sign in with an access token. */
const WITH_TOKEN = ['AUTH=OAUTHBEARER', 'AUTH=XOAUTH2', 'AUTH=XOAUTH'];

export interface MailContext {
  readonly secrets: Readonly<Record<string, string>>;
  readonly allowPrivateNetworks?: readonly string[];
}

/** Connects and signs in. @throws SourceError */
export async function connectToMailbox(
  { host, port, security = 'tls', user }: MailboxSourceConfig,
  { secrets: { password, accessToken }, allowPrivateNetworks = [] }: MailContext,
): Promise<ImapFlow> {
  const address = await permittedAddress(host, allowPrivateNetworks).catch((error: unknown) => {
    throw networkError(error);
  });
  if (security === 'none' && (await isPublic(host)))
    throw new SourceError('denied', 'A password is sent to the Internet over an encrypted connection only.');
  if (!password && !accessToken) throw new SourceError('denied', 'A password or an access token is missing.');
  const client = new ImapFlow({
    host: address,
    // The name that the certificate must have.
    servername: host,
    port: port ?? (security === 'tls' ? 993 : 143),
    secure: security === 'tls',
    doSTARTTLS: security === 'starttls',
    auth: accessToken ? { user, accessToken } : { user, pass: password },
    clientInfo: { name: 'Citewell' },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    maxLineLength: MAX_LINE_BYTES,
    maxLiteralSize: MAX_LITERAL_BYTES,
    maxResponseSize: 2 * MAX_LITERAL_BYTES,
  });
  // Commands fail with it, too.
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    const { capabilities } = client;
    client.close();
    if (accessToken && capabilities.size > 0 && !WITH_TOKEN.some((name) => capabilities.has(name)))
      throw new SourceError('denied', 'The mail server does not accept access tokens.', { cause: error });
    throw mailError(error);
  });
  return client;
}

/** The error of a source for one of the connection or of the server. */
export function mailError(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const cause: Partial<ImapFlowError> = error instanceof Error ? error : {};
  const {
    code,
    serverResponseCode = '',
    throttleReset,
    responseStatus,
    authenticationFailed,
    tlsFailed,
  } = cause;
  if (code === 'ETHROTTLE' || LATER.has(serverResponseCode))
    return new SourceError('limited', 'The mail server asks to wait.', {
      cause: error,
      ...(throttleReset !== undefined && { retryAfterMs: throttleReset }),
    });
  if (authenticationFailed === true)
    return new SourceError('denied', 'The mail server refuses the name, or the password or token.', {
      cause: error,
    });
  // Without a code, the server does not offer STARTTLS.
  if (tlsFailed === true && code === undefined)
    return new SourceError('denied', 'The mail server does not offer an encrypted connection at this port.', {
      cause: error,
    });
  if (responseStatus === 'NO' || responseStatus === 'BAD')
    return new SourceError('unavailable', 'The mail server refuses a command.', { cause: error });
  return networkError(error);
}
