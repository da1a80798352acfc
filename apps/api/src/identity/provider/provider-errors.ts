import type { SignInFailureReason } from '@citewell/contracts/schemas';
import { SecretError } from '@citewell/infrastructure';
import { transportError } from '@citewell/web';
import type * as oidc from 'openid-client';

type Library = typeof oidc;

const SERVER_ERROR = 500;
/** Errors of a request that another attempt may not have: RFC 6749, sections 4.1.2.1 and 5.2. */
const TEMPORARY = new Set(['temporarily_unavailable', 'server_error']);
const TIMEOUTS = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT']);

/** Why the library has refused a response, or has not got one. */
export function toSignInFailure(error: unknown, library: Library): SignInFailure {
  if (error instanceof SignInFailure) return error;
  return new SignInFailure(reasonOf(error, library), { cause: error });
}

function reasonOf(error: unknown, library: Library): SignInFailureReason {
  const { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError, ClientError } =
    library;
  if (error instanceof AuthorizationResponseError) {
    if (error.error === 'access_denied') return 'cancelled';
    return TEMPORARY.has(error.error) ? 'provider-unavailable' : 'provider-refused';
  }
  if (error instanceof ResponseBodyError)
    return TEMPORARY.has(error.error) ? 'provider-unavailable' : 'provider-refused';
  if (error instanceof SecretError || error instanceof WWWAuthenticateChallengeError)
    return 'provider-refused';
  if (isUnavailable(error, library)) return 'provider-unavailable';
  // Malformed keys and signatures.
  if (error instanceof ClientError || error instanceof DOMException) return 'invalid-response';
  throw error;
}

/** Whether the provider could not be reached, or was not able to answer. */
export function isUnavailable(error: unknown, { ClientError }: Pick<Library, 'ClientError'>): boolean {
  // A failure to connect. What undici throws is a TypeError with a cause.
  if (error instanceof TypeError) return true;
  if (!(error instanceof ClientError)) return false;
  if (TIMEOUTS.has(error.code ?? '')) return true;
  return error.cause instanceof Response && error.cause.status >= SERVER_ERROR;
}

/** What is wrong with the settings of a provider, and what to do. */
export function problemOf(error: unknown, library: Library, variable: string): string {
  if (error instanceof SecretError) return error.message;
  if (error instanceof TypeError) return connectionProblem(error, variable);
  if (error instanceof library.ClientError) {
    const issuer = discoveredIssuer(error);
    if (issuer !== null)
      return `The provider calls itself ${issuer}. Enter exactly this as the issuer, also with or without the final slash.`;
    if (TIMEOUTS.has(error.code ?? '')) return 'The provider did not answer in time. Check the issuer.';
    if (error.cause instanceof Response)
      return `There is no discovery document below this issuer: the server answered with the status ${error.cause.status}. Check the issuer.`;
  }
  return 'The provider has sent no valid discovery document. Check the issuer.';
}

function connectionProblem(error: TypeError, variable: string): string {
  const { code, userMessage } = transportError(error);
  if (code === 'ADDRESS_BLOCKED')
    return `The issuer leads to a private network. The operator can allow the network with the variable ${variable}.`;
  return `The provider cannot be reached: ${userMessage}`;
}

/** The issuer of a document that is not the one of the settings. */
function discoveredIssuer({ cause }: Error): string | null {
  const body = isObject(cause) && cause['attribute'] === 'issuer' ? cause['body'] : null;
  const issuer = isObject(body) ? body['issuer'] : null;
  return typeof issuer === 'string' ? issuer.slice(0, 200) : null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** A sign-in at a provider that does not begin a session. The sign-in page has a sentence for each reason. */
export class SignInFailure extends Error {
  override readonly name = 'SignInFailure';

  constructor(
    readonly reason: SignInFailureReason,
    options: { cause?: unknown } = {},
  ) {
    super(`The sign-in at the identity provider failed: ${reason}`, options);
  }
}
