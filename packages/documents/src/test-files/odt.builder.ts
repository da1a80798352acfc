import { buildZip } from './office.builder.js';

interface OpenDocumentOptions {
  /** The children of `office:automatic-styles`. */
  readonly styles?: string;
  /** Further or replacement parts by name. */
  readonly parts?: Readonly<Record<string, string | Uint8Array>>;
}

function buildOpenDocument(
  kind: 'text' | 'spreadsheet' | 'presentation',
  body: string,
  { styles = '', parts = {} }: OpenDocumentOptions = {},
): Uint8Array<ArrayBuffer> {
  return buildZip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml':
      `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles>` +
      `<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ...parts,
  });
}

/** Builds an OpenDocument text. @param body the children of `office:text` */
export function buildOdt(body: string, options?: OpenDocumentOptions): Uint8Array<ArrayBuffer> {
  return buildOpenDocument('text', body, options);
}

/** Builds an OpenDocument spreadsheet. @param body the children of `office:spreadsheet`: tables */
export function buildOds(body: string, options?: OpenDocumentOptions): Uint8Array<ArrayBuffer> {
  return buildOpenDocument('spreadsheet', body, options);
}

/** Builds an OpenDocument presentation. @param body the children of `office:presentation`: pages */
export function buildOdp(body: string, options?: OpenDocumentOptions): Uint8Array<ArrayBuffer> {
  return buildOpenDocument('presentation', body, options);
}
