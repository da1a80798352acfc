import { buildZip } from './office.builder.js';

/**
 * Builds an OpenDocument text.
 *
 * @param body the children of `office:text`
 * @param options.styles the children of `office:automatic-styles`
 * @param options.parts further or replacement parts by name
 */
export function buildOdt(
  body: string,
  { styles = '', parts = {} }: { styles?: string; parts?: Readonly<Record<string, string>> } = {},
): Uint8Array<ArrayBuffer> {
  return buildZip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml':
      `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles>` +
      `<office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    ...parts,
  });
}
