import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  recipients: string[];
  /** Headers and body, as sent. */
  source: string;
}

/** An SMTP server on a free port of the loopback interface. It keeps the mails that it accepts. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  /** Attempts to hand a mail over, the refused ones too. */
  attempts = 0;
  /** Refuses the next mails with these codes, in this order. */
  readonly refusals: number[] = [];

  private constructor(private readonly server: SMTPServer) {}

  /** @param options by default, the server asks for no password and offers no TLS */
  static async start(options: SMTPServerOptions = { hideSTARTTLS: true }, port = 0): Promise<MailServer> {
    const server: SMTPServer = new SMTPServer({
      authOptional: true,
      closeTimeout: 100,
      ...options,
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          mailServer.attempts += 1;
          const responseCode = mailServer.refusals.shift();
          if (responseCode !== undefined) return done(Object.assign(new Error('Refused'), { responseCode }));
          const { mailFrom, rcptTo } = session.envelope;
          mailServer.mails.push({
            from: mailFrom === false ? '' : mailFrom.address,
            recipients: rcptTo.map(({ address }) => address),
            source: Buffer.concat(chunks).toString('utf8'),
          });
          done();
        });
      },
    });
    const mailServer = new MailServer(server);
    server.on('error', () => {
      // A client that does not trust the certificate hangs up.
    });
    server.listen(port, '127.0.0.1');
    await once(server.server, 'listening');
    return mailServer;
  }

  get port(): number {
    // A TCP server has no path as its address.
    return (this.server.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(resolve));
  }
}
