// Is loaded into each process of the product with `--import`. Appends the addresses of other machines that it connects to, to a file.
import { appendFileSync } from 'node:fs';
import { Socket } from 'node:net';

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;
const file = process.env['RECORDED_CONNECTIONS'] ?? '';
const { connect } = Socket.prototype;

Socket.prototype.connect = function (this: Socket, ...args: unknown[]): Socket {
  this.on('connectionAttempt', (address: string) => {
    if (!LOOPBACK.test(address)) appendFileSync(file, `${address}\n`);
  });
  return Reflect.apply(connect, this, args) as Socket;
};
