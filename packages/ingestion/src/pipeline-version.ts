import { createHash } from 'node:crypto';

/** Goes up when parsing or chunking changes what comes out: then a sync reads unchanged bytes anew. */
export const PIPELINE_VERSION = 2;

/** Equal for documents that say the same and would be divided in the same way. @param hash of text and outline */
export function documentHash(hash: string): string {
  return `${PIPELINE_VERSION}-${hash}`;
}

/** Equal for runs of which the second would bring nothing new. */
export function pipelineFingerprint(content: { sha256: string; contentType: string }): string {
  return createHash('sha256')
    .update(`${PIPELINE_VERSION}\n${content.contentType}\n${content.sha256}`)
    .digest('hex');
}
