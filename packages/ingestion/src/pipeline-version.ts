import { createHash } from 'node:crypto';

/** Goes up when parsing or chunking changes what comes out: then a sync reads unchanged bytes anew. */
export const PIPELINE_VERSION = 3;

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

/**
 * Whether what a run was made of, brought in again, would be read as it was: a later version may read it otherwise.
 * Where not all is known of it, it would not.
 *
 * @param made SHA-256 and type of the run's content, and the run's fingerprint
 */
export function isReadTheSameWay(made: {
  readonly sha256: string | null;
  readonly contentType: string | null;
  readonly fingerprint: string | null;
}): boolean {
  const { sha256, contentType, fingerprint } = made;
  if (sha256 === null || contentType === null) return false;
  return fingerprint === pipelineFingerprint({ sha256, contentType });
}
