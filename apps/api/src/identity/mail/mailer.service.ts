import { isIP } from 'node:net';
import type { Config } from '@citewell/config';
import { CONFIG, LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type { Transporter } from 'nodemailer';
import type { MailText } from './compose-mail.js';

const SMTP_PORTS = { 'smtp:': 587, 'smtps:': 465 } as const;

export interface Mail extends MailText {
  /** An e-mail address. */
  to: string;
}

/** Servers that use greylisting accept a mail after some minutes. */
const RETRY_DELAYS_MS = [60_000, 5 * 60_000, 15 * 60_000];
const CONNECTION_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 30_000;
const MAX_CONNECTIONS = 2;
/** Mails that wait to be sent, or sent again. More are dropped. */
const MAX_WAITING_MAILS = 1_000;

/** Codes of nodemailer for a server that could not be reached, or has hung up. */
const UNREACHABLE: ReadonlySet<unknown> = new Set([
  'ECONNECTION',
  'ETIMEDOUT',
  'ESOCKET',
  'EDNS',
  'EPROTOCOL',
]);

/**
 * Sends mails in the background. A mail that is refused for now is sent again, while this process lives: its link is stored as
 * a hash only, so another process could not compose it.
 */
@Injectable()
export class Mailer implements BeforeApplicationShutdown {
  private transport: Promise<Transporter> | undefined;
  private readonly timers = new Set<NodeJS.Timeout>();
  private waiting = 0;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
    private readonly retryDelaysMs: readonly number[] = RETRY_DELAYS_MS,
  ) {}

  /** Whether mails can be sent. */
  get isConfigured(): boolean {
    return this.config.SMTP_URL !== undefined;
  }

  /** Begins to send a mail. What fails is logged, without the recipient and the text. */
  send(mail: Mail): void {
    if (this.waiting >= MAX_WAITING_MAILS) {
      this.logger.warn({ waiting: this.waiting }, 'a mail was dropped: too many wait for the mail server');
      return;
    }
    this.waiting += 1;
    void this.attempt(mail, 0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    for (const timer of this.timers) clearTimeout(timer);
    (await this.transport)?.close();
  }

  private async attempt(mail: Mail, retries: number): Promise<void> {
    try {
      const transport = await (this.transport ??= this.open());
      await transport.sendMail({
        from: this.config.MAIL_FROM,
        // An object is one recipient, whatever its address contains.
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      this.waiting -= 1;
    } catch (error) {
      this.onFailure(mail, retries, error);
    }
  }

  private onFailure(mail: Mail, retries: number, error: unknown): void {
    const { code, responseCode, command } = error as {
      code?: string;
      responseCode?: number;
      command?: string;
    };
    const isForNow =
      responseCode === undefined ? UNREACHABLE.has(code) : responseCode >= 400 && responseCode < 500;
    const delayMs = isForNow && code !== 'EAUTH' ? this.retryDelaysMs[retries] : undefined;
    this.logger.warn({ code, responseCode, command, retryAfterMs: delayMs }, 'a mail was not sent');
    if (delayMs === undefined) {
      this.waiting -= 1;
      return;
    }
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      void this.attempt(mail, retries + 1);
    }, delayMs);
    this.timers.add(timer);
  }

  private async open(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      ...smtpOptions(this.config.SMTP_URL ?? ''),
      pool: true,
      maxConnections: MAX_CONNECTIONS,
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      greetingTimeout: CONNECTION_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }
}

/** The settings of a connection to a mail server. */
interface SmtpOptions {
  host: string;
  port: number;
  /** TLS from the first byte. */
  secure: boolean;
  /** Fail if the server does not offer STARTTLS. */
  requireTLS: boolean;
  ignoreTLS: boolean;
  auth?: { user: string; pass: string };
}

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
    port: port === '' ? SMTP_PORTS[secure ? 'smtps:' : 'smtp:'] : Number(port),
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
