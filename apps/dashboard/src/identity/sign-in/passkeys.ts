import type { PasskeyOptions, Session, SignIn, SignInOptions } from '@citewell/sdk';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { client, request } from '../../client.js';

/** Whether this browser has passkeys, on a page where they count: with HTTPS, or on this machine, and under a name. */
export function canUsePasskeys({ passkeyOrigin }: SignInOptions): boolean {
  if (!isSecureContext || !('PublicKeyCredential' in window)) return false;
  const isNamed = !/^[\d.]+$|:/.test(location.hostname);
  return isNamed && (passkeyOrigin === null || passkeyOrigin === location.origin);
}

/** Signs in with a passkey that the person chooses in a dialogue of the browser. */
export async function signInWithPasskey(): Promise<Session> {
  const [{ startAuthentication }, options] = await Promise.all([
    library(),
    request<PasskeyOptions>('POST', '/passkeys/challenge'),
  ]);
  // The server answers with the format that the library expects.
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const passkey = (await startAuthentication({ optionsJSON })) as unknown as SignIn['passkey'];
  return client.session.signIn({ passkey });
}

/** Makes a passkey of the account. */
export async function addPasskey(name: string, currentPassword: string): Promise<void> {
  const [{ startRegistration }, options] = await Promise.all([
    library(),
    request<PasskeyOptions>('POST', '/passkeys/registration', { currentPassword }),
  ]);
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const credential = await startRegistration({ optionsJSON });
  await request('POST', '/passkeys', { name, credential });
}

const library = () => import('@simplewebauthn/browser');
