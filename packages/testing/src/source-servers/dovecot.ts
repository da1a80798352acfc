import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from './free-ports.js';

/** The user `nobody`: Dovecot does not let root sign in. */
const NOBODY = 65_534;

/** A Dovecot on loopback. Each user name is a mailbox of its own, and has the password `secret`. */
export interface Dovecot {
  readonly port: number;
  readonly tlsPort: number;
  /** Its self-signed certificate for `localhost`, as PEM. */
  readonly certificate: string;
  stop(): Promise<void>;
}

export async function startDovecot(): Promise<Dovecot> {
  const root = await mkdtemp(join(tmpdir(), 'dovecot-'));
  const isRoot = process.getuid?.() === 0;
  const [uid, gid] = isRoot ? [NOBODY, NOBODY] : [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const [port = 0, tlsPort = 0] = await freePorts(2);
  await writeFile(join(root, 'dovecot.conf'), settings({ root, uid, gid, port, tlsPort }));
  const [cert, key] = [join(root, 'cert.pem'), join(root, 'key.pem')];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', ['req', ...kind, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  if (isRoot) for (const path of [root, cert, key, join(root, 'dovecot.conf')]) await chown(path, uid, gid);
  const server = spawn('dovecot', ['-F', '-c', join(root, 'dovecot.conf')], {
    stdio: 'ignore',
    ...(isRoot && { uid, gid }),
  });
  const exited = once(server, 'exit');
  for (let tries = 0; !(await isListening(port)); tries += 1) {
    if (server.exitCode !== null || tries > 200) throw new Error(`Dovecot has not started: ${root}/log`);
    await sleep(50);
  }
  return {
    port,
    tlsPort,
    certificate: await readFile(cert, 'utf8'),
    stop: async () => {
      server.kill('SIGTERM');
      await exited;
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function settings(values: {
  readonly root: string;
  readonly uid: number;
  readonly gid: number;
  readonly port: number;
  readonly tlsPort: number;
}): string {
  const { root, uid, gid, port, tlsPort } = values;
  const [user, group] = uid === NOBODY ? ['nobody', 'nogroup'] : [String(uid), String(gid)];
  return `
protocols = imap
listen = 127.0.0.1
base_dir = ${root}/run
state_dir = ${root}/state
log_path = ${root}/log
default_internal_user = ${user}
default_internal_group = ${group}
default_login_user = ${user}
first_valid_uid = 1
ssl = yes
ssl_cert = <${root}/cert.pem
ssl_key = <${root}/key.pem
disable_plaintext_auth = no
mail_location = sdbox:${root}/mail/%u
mail_fsync = never
mail_max_userip_connections = 100
auth_failure_delay = 0
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${root}/home/%u
}
namespace inbox {
  inbox = yes
  separator = /
  mailbox Trash {
    auto = create
    special_use = \\Trash
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${tlsPort}
    ssl = yes
  }
}
`;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A wire to a server that can be cut. */
export class Wire {
  private readonly sockets = new Set<Socket>();
  private isCut = false;
  /** Connections are cut when this many bytes have come from the server. */
  maxBytes = Number.POSITIVE_INFINITY;

  private constructor(private readonly server: Server) {}

  static async to(port: number): Promise<Wire> {
    const server = createServer();
    const wire = new Wire(server);
    server.on('connection', (socket) => {
      const target = connect(port, '127.0.0.1');
      for (const end of [socket, target]) {
        wire.sockets.add(end);
        end.on('error', () => undefined).on('close', () => (socket.destroy(), target.destroy()));
      }
      if (wire.isCut) return void socket.destroy();
      target.on('data', () => {
        if (target.bytesRead > wire.maxBytes) target.destroy();
      });
      socket.pipe(target).pipe(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return wire;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  setCut(isCut: boolean): void {
    this.isCut = isCut;
    if (isCut) for (const socket of this.sockets) socket.destroy();
  }

  stop(): void {
    this.setCut(true);
    this.server.close();
  }
}
