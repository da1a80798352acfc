import { isIP } from 'node:net';

/** The settings of a connection to a mail server. */
export interface SmtpOptions {
  host: string;
  port: number;
  /** TLS from the first byte. */
  secure: boolean;
  /** Fail if the server does not offer STARTTLS. */
  requireTLS: boolean;
  ignoreTLS: boolean;
  auth?: { user: string; pass: string };
}

const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const;

/**
 * Mails contain links that sign in, so the connection is encrypted: except on this machine, and with `?tls=off`.
 *
 * @param url as the configuration has checked it
 */
export function smtpOptions(url: string): SmtpOptions {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'smtps:';
  const ignoreTLS = !secure && searchParams.get('tls') === 'off';
  return {
    host,
    port: port === '' ? PORTS[secure ? 'smtps:' : 'smtp:'] : Number(port),
    secure,
    requireTLS: !secure && !ignoreTLS && !isLoopback(host),
    ignoreTLS,
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
