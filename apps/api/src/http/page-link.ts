import type { FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** `BASE_PATH`: what the paths of this server begin with for its clients. `url` is without it. */
    readonly basePath: string;
  }
}

/**
 * Sets a `Link` header (RFC 8288) to the next page when this page is full.
 *
 * @param items in page order; the id of the last item is the cursor of the next page
 */
export function linkNextPage(
  request: FastifyRequest,
  reply: FastifyReply,
  items: readonly { id: string }[],
  limit: number,
): void {
  const last = items.at(-1);
  if (!last || items.length < limit) return;
  const url = new URL(request.url, 'http://localhost');
  url.searchParams.set('cursor', last.id);
  reply.header('Link', `<${request.basePath}${url.pathname}${url.search}>; rel="next"`);
}
