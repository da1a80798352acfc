import type { IncomingHttpHeaders } from 'node:http';
import type { Service } from '../../http/own-address.js';

const NAME = 'citewell_passkey';
const TOKEN = /^[\w-]{20,128}$/;

function nameOf({ PUBLIC_URL }: Pick<Service, 'PUBLIC_URL'>): string {
  return PUBLIC_URL?.startsWith('https:') ? `__Host-${NAME}` : NAME;
}

/** The `Set-Cookie` header that binds a challenge to a browser. */
export function challengeCookie(token: string, maxAgeSeconds: number, service: Service): string {
  const name = nameOf(service);
  const secure = name === NAME ? '' : '; Secure';
  return `${name}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}

/** The token of the browser's challenge. As for sessions, two cookies do not count. */
export function challengeTokenOf({ cookie = '' }: IncomingHttpHeaders, service: Service): string | null {
  const prefix = `${nameOf(service)}=`;
  const tokens = cookie.split(/;\s*/).filter((part) => part.startsWith(prefix));
  const token = tokens.length === 1 ? tokens[0]?.slice(prefix.length) : undefined;
  return token !== undefined && TOKEN.test(token) ? token : null;
}
