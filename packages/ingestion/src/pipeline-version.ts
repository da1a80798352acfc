import { createHash } from 'node:crypto';

/** Goes up when parsing or chunking changes what comes out: then a sync reads unchanged bytes anew. */
export const PIPELINE_VERSION = 6;

/** Equal for documents that say the same and would be divided in the same way. @param hash of text and outline */
export function documentHash(hash: string): string {
  return `${PIPELINE_VERSION}-${hash}`;
}

/** Bytes that a run is made of. */
export interface FingerprintedContent {
  readonly sha256: string;
  readonly contentType: string;
}

/**
 * Equal for runs of which the second would bring nothing new.
 *
 * @param lacksRecognition some of its pages are pictures of text, and nothing was there to recognise it: where
 * something is, the same bytes say more
 */
export function pipelineFingerprint(
  { contentType, sha256 }: FingerprintedContent,
  { lacksRecognition = false } = {},
): string {
  return createHash('sha256')
    .update(`${PIPELINE_VERSION}\n${contentType}\n${sha256}${lacksRecognition ? '\nunrecognised' : ''}`)
    .digest('hex');
}

/**
 * Whether what a run was made of, brought in again, would be read as it was: a later version may read it otherwise.
 * Where not all is known of it, it would not. Whether text recognition has come since, a crawler cannot tell.
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
  return [false, true].some(
    (lacksRecognition) => fingerprint === pipelineFingerprint({ sha256, contentType }, { lacksRecognition }),
  );
}
