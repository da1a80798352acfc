import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that has the service below a path, beside another site at the root. */
export interface PathProxy {
  origin: string;
  /** The port of the service. */
  target: number;
  /** Whether the service gets paths without the base path. */
  removesPath: boolean;
  /** Paths that were requested from the other site: what the service, or a page of it, has lost its base path in. */
  readonly outside: string[];
  close(): Promise<void>;
}

export async function startPathProxy(basePath: string): Promise<PathProxy> {
  const server = createServer((request, response) => {
    const { url = '/', method, headers } = request;
    if (!url.startsWith(basePath) || !['/', '?', undefined].includes(url[basePath.length])) {
      proxy.outside.push(url);
      return void response.writeHead(404).end('Another site');
    }
    const path = proxy.removesPath ? url.slice(basePath.length) || '/' : url;
    const onward = { ...headers, 'x-forwarded-for': '198.51.100.7' };
    const options = { port: proxy.target, host: '127.0.0.1', path, method, headers: onward };
    const sent = forward(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    sent.on('error', () => response.destroy());
    response.on('close', () => sent.destroy());
    return void request.pipe(sent);
  });
  await new Promise<void>((listening) => server.listen(0, listening));
  const proxy: PathProxy = {
    // A server that listens on TCP has an AddressInfo.
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    target: 0,
    removesPath: false,
    outside: [],
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  return proxy;
}
