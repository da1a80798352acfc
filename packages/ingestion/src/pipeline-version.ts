import { createHash } from 'node:crypto';

/** Increased when parsing or chunking gives different output. A sync then processes unchanged bytes again. */
export const PIPELINE_VERSION = 14;

/**
 * Equal for documents with the same text and the same chunks.
 *
 * @param hash of text and outline
 */
export function documentHash(hash: string): string {
  return `${PIPELINE_VERSION}-${hash}`;
}

/** The bytes that a run processes. */
export interface FingerprintedContent {
  readonly sha256: string;
  readonly contentType: string;
  /** The encoding that the user has chosen for it. */
  readonly encoding?: string | undefined;
}

/**
 * Equal for runs that give the same result.
 *
 * @param lacksRecognition some pages are images of text, and text recognition was not installed. Where it is
 * installed, the same bytes give more text.
 */
export function pipelineFingerprint(
  { contentType, sha256, encoding }: FingerprintedContent,
  { lacksRecognition = false } = {},
): string {
  const chosen = encoding === undefined ? '' : `\nencoding ${encoding}`;
  return createHash('sha256')
    .update(
      `${PIPELINE_VERSION}\n${contentType}\n${sha256}${lacksRecognition ? '\nunrecognised' : ''}${chosen}`,
    )
    .digest('hex');
}

/**
 * Whether this version would process the content of a run as the run did. False when the content is not fully
 * known. Ignores whether text recognition has been installed since: a crawler cannot tell.
 *
 * @param run SHA-256 and type of the run's content, and the run's fingerprint
 */
export function isFingerprintCurrent(run: {
  readonly sha256: string | null;
  readonly contentType: string | null;
  readonly fingerprint: string | null;
}): boolean {
  const { sha256, contentType, fingerprint } = run;
  if (sha256 === null || contentType === null) return false;
  return [false, true].some(
    (lacksRecognition) => fingerprint === pipelineFingerprint({ sha256, contentType }, { lacksRecognition }),
  );
}
