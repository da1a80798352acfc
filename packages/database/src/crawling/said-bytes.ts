/**
 * SQL: whether what serves a page are the bytes that its site has noted of it. Those of a page that was taken out of
 * service, or whose new content never came to serve, are others, or none.
 *
 * @param url alias of `crawl_urls`
 */
export function saysItsBytesSql(url: string): string {
  return `EXISTS (
    SELECT 1 FROM datasources d JOIN runs r ON r.id = d.serving_run_id JOIN blobs b ON b.key = r.content_key
     WHERE d.id = ${url}.page_id AND d.deleted_at IS NULL AND b.sha256 = ${url}.content_hash)`;
}
