import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  maxHeaderSize,
  type RequestListener,
  type Server,
} from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import 'reflect-metadata';
import multipart from '@fastify/multipart';
import fastifyStatic from '@fastify/static';
import type { Config } from '@citewell/config';
import { CONFIG, LOGGER, NestLogger } from '@citewell/infrastructure';
import { FullStorage, type Logger, Metrics } from '@citewell/observability';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { installAudit } from './tenancy/audit/audit-hooks.js';
import { AuditTrail } from './tenancy/audit/audit-trail.service.js';
import { ApiErrorFilter } from './http/api-error.filter.js';
import { Authenticator } from './http/authenticator.js';
import {
  normalizeSlashes,
  rejectMalformedHttp,
  rejectMalformedPath,
  withoutBasePath,
} from './http/malformed-requests.js';
import { HEADERS_TIMEOUT_MS, limitConnections, limitPipelining } from './http/connection-limits.js';
import { drainConnectionsOnClose } from './http/connection-drain.js';
import { installHooks, requestIdOf } from './http/hooks.js';
import { PendingLimiter } from './http/pending-limiter.js';
import { RateLimiter, UploadRateLimiter, VisitorRateLimiter } from './http/rate-limiter.js';
import { installBodyParsers } from './http/body-parsers.js';
import { serveDashboard } from './interfaces/dashboard/serve-dashboard.js';

/** Patterns of the routes without the prefix `/api`: for operators, for visitors of pages, and the interfaces of others. */
export const ROUTES_OUTSIDE_API = [
  'health/live',
  'health/ready',
  'metrics',
  'widget.js',
  'chat/:key',
  'v1/*path',
  'mcp',
  'scim/v2/*path',
];

/** Longer than that of common load balancers, which would otherwise use a connection that is being closed. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

/** Creates the HTTP server of a root module that imports `ApiModule`. It does not listen yet. */
export async function createApi(
  rootModule: Type,
  { config, logger }: { config: Config; logger: Logger },
): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    genReqId: (request: IncomingMessage) => requestIdOf(request.headers['x-request-id']),
    routerOptions: { maxParamLength: 512 },
    rewriteUrl: ({ url = '/' }) => withoutBasePath(normalizeSlashes(url), config.BASE_PATH),
    serverFactory: createHttpServer,
    frameworkErrors: rejectMalformedPath,
    clientErrorHandler: rejectMalformedHttp,
    trustProxy: config.TRUSTED_PROXIES,
    forceCloseConnections: false,
    // While the server closes, requests on open connections are still answered. Database and queue close
    // later.
    return503OnClosing: false,
  });
  const app = await NestFactory.create<NestFastifyApplication>(rootModule, adapter, {
    logger: new NestLogger(logger),
    abortOnError: false,
    bodyParser: false,
  });
  adapter.getInstance().decorateRequest('basePath', config.BASE_PATH);
  drainConnectionsOnClose(adapter.getInstance(), config.SHUTDOWN_GRACE_MS);
  limitConnections(adapter.getInstance().server, config.MAX_CONNECTIONS_PER_ADDRESS);
  installBodyParsers(adapter.getInstance(), config.MAX_UPLOAD_BYTES);
  await app.register(multipart, { throwFileSizeLimit: false });
  await app.register(fastifyStatic, { serve: false, preCompressed: true });
  app.setGlobalPrefix('api', { exclude: ROUTES_OUTSIDE_API });
  app.enableCors({
    origin: '*',
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    exposedHeaders: ['X-Request-Id', 'Link', 'Retry-After', 'Deprecation', 'Citewell-Ignored-Fields'],
    strictPreflight: false,
  });
  app.useGlobalFilters(new ApiErrorFilter(app.get<Logger>(LOGGER), app.get(FullStorage), config));
  installHooks(adapter.getInstance(), {
    authenticator: app.get(Authenticator),
    limiter: app.get(RateLimiter),
    visitorLimiter: app.get(VisitorRateLimiter),
    uploadLimiter: app.get(UploadRateLimiter),
    pendingLimiter: app.get(PendingLimiter),
    config,
    storage: app.get(FullStorage),
    metrics: app.get(Metrics),
    logger,
  });
  installAudit(adapter.getInstance(), app.get(AuditTrail));
  serveDashboard(app, config.BASE_PATH);
  return app;
}

function createHttpServer(handle: RequestListener): Server {
  const options = {
    maxHeaderSize,
    headersTimeout: HEADERS_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // A large upload may take long. `limitConnections` requires a minimum rate instead.
    requestTimeout: 0,
  };
  return createServer(options, limitPipelining(handle));
}

/**
 * Checks that the API can listen, before anything else is started.
 *
 * @throws the system's error, such as `EADDRINUSE`
 */
export async function assertPortIsFree({ HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>): Promise<void> {
  const probe = createTcpServer().listen({ host: HOST, port: PORT });
  // `once` rejects when an error event comes first.
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}

/** Starts listening. @returns the address that people open, with `localhost` for a wildcard address */
export async function listenOn(app: NestFastifyApplication): Promise<string> {
  const { HOST, PORT, BASE_PATH } = app.get<Config>(CONFIG);
  await app.listen({ host: HOST, port: PORT });
  const address = app.getHttpServer().address();
  const port = address !== null && typeof address === 'object' ? address.port : PORT;
  const host = ['0.0.0.0', '::'].includes(HOST) ? 'localhost' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}${BASE_PATH}`;
}
