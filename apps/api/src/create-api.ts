import 'reflect-metadata';
import { once } from 'node:events';
import { type IncomingMessage, maxHeaderSize } from 'node:http';
import { createServer } from 'node:net';
import multipart from '@fastify/multipart';
import type { Config } from '@citewell/config';
import { CONFIG, LOGGER, NestLogger } from '@citewell/infrastructure';
import { type Logger, Metrics } from '@citewell/observability';
import { RequestMethod, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiErrorFilter } from './http/api-error.filter.js';
import { Authenticator } from './http/authenticator.js';
import { refuseConnection, refusePath } from './http/broken-requests.js';
import { drainConnectionsOnClose } from './http/connection-drain.js';
import { installHooks, requestIdOf } from './http/hooks.js';
import { RateLimiter } from './http/rate-limiter.js';
import { installBodyParsers } from './http/request-bodies.js';
import { InputValidationPipe } from './http/validation.pipe.js';

const OPERATIONS = ['health/live', 'health/ready', 'metrics'];

/** Makes the HTTP server of a module that has {@link ApiModule} in it; it does not listen yet. */
export async function createApi(
  rootModule: Type,
  { config, logger }: { config: Config; logger: Logger },
): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    genReqId: (request: IncomingMessage) => requestIdOf(request.headers['x-request-id']),
    routerOptions: { maxParamLength: 512 },
    http: { maxHeaderSize },
    frameworkErrors: refusePath,
    clientErrorHandler: refuseConnection,
    forceCloseConnections: false,
    // What comes on an open connection while the server closes is still answered: the engines close later.
    return503OnClosing: false,
    requestTimeout: 0,
  });
  const app = await NestFactory.create<NestFastifyApplication>(rootModule, adapter, {
    logger: new NestLogger(logger),
    abortOnError: false,
    bodyParser: false,
  });
  drainConnectionsOnClose(adapter.getInstance(), config.SHUTDOWN_GRACE_MS);
  installBodyParsers(adapter.getInstance(), config.MAX_UPLOAD_BYTES);
  await app.register(multipart, { throwFileSizeLimit: false });
  app.setGlobalPrefix('api', { exclude: OPERATIONS.map((path) => ({ path, method: RequestMethod.GET })) });
  app.enableCors({
    origin: '*',
    methods: ['GET', 'POST', 'PATCH', 'DELETE', 'OPTIONS'],
    exposedHeaders: ['X-Request-Id', 'Link', 'Retry-After', 'Deprecation'],
    strictPreflight: false,
  });
  app.useGlobalPipes(new InputValidationPipe());
  app.useGlobalFilters(new ApiErrorFilter(app.get<Logger>(LOGGER)));
  installHooks(adapter.getInstance(), {
    authenticator: app.get(Authenticator),
    limiter: app.get(RateLimiter),
    metrics: app.get(Metrics),
    logger,
  });
  return app;
}

/**
 * Fails before anything is started when the API could not listen.
 *
 * @throws the system's error, such as `EADDRINUSE`
 */
export async function assertPortIsFree({ HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>): Promise<void> {
  const probe = createServer().listen({ host: HOST, port: PORT });
  // Rejects with the error event, if that is what comes.
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}

/** Where an app listens, as a URL that can be opened. */
export async function listenOn(app: NestFastifyApplication): Promise<string> {
  const { HOST, PORT } = app.get<Config>(CONFIG);
  await app.listen({ host: HOST, port: PORT });
  const address = app.getHttpServer().address();
  const port = address !== null && typeof address === 'object' ? address.port : PORT;
  const host = ['0.0.0.0', '::'].includes(HOST) ? 'localhost' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
