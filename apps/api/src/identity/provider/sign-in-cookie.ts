import type { IncomingHttpHeaders } from 'node:http';
import type { Service } from '../../http/own-address.js';
import { isSecure, onlyCookie } from '../../http/session-cookie.js';

/** Time in seconds in which a person signs in at the provider. */
export const SIGN_IN_SECONDS = 600;
const NAME_CHARACTERS = 12;

/** Each sign-in has a cookie of its own, so that two tabs do not disturb each other. */
function nameOf(state: string, service: Service): string {
  const name = `citewell_sign_in_${state.slice(0, NAME_CHARACTERS)}`;
  return isSecure(service) ? `__Host-${name}` : name;
}

/**
 * The `Set-Cookie` header that binds a sign-in to the browser. The provider sends the browser back with a navigation from
 * another site, which has cookies with `SameSite=Lax` only.
 *
 * @param value empty removes the cookie
 */
export function signInCookie(state: string, value: string, service: Service): string {
  const maxAge = value === '' ? 0 : SIGN_IN_SECONDS;
  const secure = isSecure(service) ? '; Secure' : '';
  return `${nameOf(state, service)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

export function signInCookieOf(state: string, headers: IncomingHttpHeaders, service: Service): string | null {
  return onlyCookie(headers, nameOf(state, service));
}
