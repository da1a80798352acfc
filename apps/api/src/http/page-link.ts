import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Names the next page in a `Link` header (RFC 8288) when this page is full.
 *
 * @param items newest first; the cursor is the last one's id
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
  reply.header('Link', `<${url.pathname}${url.search}>; rel="next"`);
}
