import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, RouteShorthandOptions } from 'fastify';
import { notFound } from '../../http/api-error.js';
import { pageHeaders } from '../../http/html.js';

/** The pages that the build of `apps/dashboard` writes. */
const SITE = fileURLToPath(new URL('../../../../dashboard/dist/site/', import.meta.url));

/** Addresses of the dashboard: the browser routes them, so each gets the same document. */
const ROOTS = [
  'ask',
  'welcome',
  'library',
  'documents',
  'agents',
  'conversations',
  'missing',
  'evaluations',
  'settings',
  'profile',
  'shared',
];

/** Scripts, styles and requests only from this origin. Style elements are inserted by the component library. */
const HEADERS = pageHeaders([
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
]);

/** The router decodes the parameter: it may contain a slash, or the name of the parent folder. */
const ASSET_NAME = /^[\w-][\w.-]*$/;

const PUBLIC: RouteShorthandOptions = { config: { access: { kind: 'public' } } };

/**
 * Serves the dashboard. Without its built files, the paths are unknown. Its scripts find each other, and the API, by their own
 * address; only the document names the base path.
 */
export function serveDashboard(app: NestFastifyApplication, basePath: string): void {
  if (!existsSync(SITE)) return;
  const server = app.getHttpAdapter().getInstance();
  const sendDocument = async (_: unknown, reply: FastifyReply): Promise<string> => {
    const document = await readFile(`${SITE}index.html`, 'utf8');
    reply
      .headers(HEADERS)
      .header('Cache-Control', 'no-cache')
      .header('Content-Type', 'text/html; charset=utf-8');
    return document.replaceAll('="./', `="${basePath}/`);
  };
  for (const path of ['/', ...ROOTS.flatMap((root) => [`/${root}`, `/${root}/*`])])
    server.get(path, PUBLIC, sendDocument);
  // The handlers of files return nothing: Fastify adds four listeners to a response whose handler returns the reply.
  server.get('/favicon.svg', PUBLIC, (_, reply) => {
    reply.sendFile('favicon.svg', SITE, { maxAge: '1d' });
  });
  // The names of these files contain a hash of their content.
  server.get<{ Params: { file: string } }>('/assets/:file', PUBLIC, ({ params }, reply) => {
    if (!ASSET_NAME.test(params.file)) throw notFound('path');
    reply
      .header('X-Content-Type-Options', 'nosniff')
      .sendFile(`assets/${params.file}`, SITE, { maxAge: '1y', immutable: true });
  });
}
