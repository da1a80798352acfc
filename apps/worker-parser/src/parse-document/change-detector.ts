import type { RunEntity } from '@citewell/database';
import { SPACES, type Spaces } from '@citewell/infrastructure';
import { type FingerprintedContent, pipelineFingerprint } from '@citewell/ingestion';
import { Inject, Injectable } from '@nestjs/common';
import { TextRecognition } from '../recognition/text-recognition.js';
import type { ParsedFile } from '../sandbox/parse-protocol.js';

/**
 * Decides whether a run would give another result than the serving run. A serving run in an outdated vector space
 * is never equal: the document must be indexed again. Content that was parsed without text recognition is
 * parsed again once recognition is installed.
 */
@Injectable()
export class ChangeDetector {
  constructor(
    @Inject(TextRecognition) private readonly recognition: Pick<TextRecognition, 'isAvailable'>,
    @Inject(SPACES) private readonly spaces: Spaces,
  ) {}

  /** Whether parsing the content would give the serving document again. */
  async isContentUnchanged(serving: RunEntity | null, content: FingerprintedContent): Promise<boolean> {
    if (serving === null || !this.isCurrent(serving)) return false;
    if (serving.fingerprint === pipelineFingerprint(content)) return true;
    return this.lacksRecognition(serving, content) && !(await this.recognition.isAvailable());
  }

  /** Whether the parsed document is equal to the serving one, such as for a file that was saved again. */
  isDocumentUnchanged(serving: RunEntity | null, textHash: string): serving is RunEntity {
    return serving !== null && this.isCurrent(serving) && serving.textHash === textHash;
  }

  private isCurrent({ space }: RunEntity): boolean {
    const { indexing, embedding, isPreparing } = this.spaces;
    // Its space is unknown until the model is open. A reindex then finds what is outdated.
    if (isPreparing) return true;
    return space === indexing.space.name || space === embedding?.space.name;
  }

  /** Whether the serving run has the same content but was parsed without text recognition. */
  lacksRecognition(serving: RunEntity, content: FingerprintedContent): boolean {
    return serving.fingerprint === pipelineFingerprint(content, { lacksRecognition: true });
  }

  /** The fingerprint of a run that parsed this content to this file. */
  async fingerprintOf(
    content: FingerprintedContent,
    { hasUnrecognizedPages }: Pick<ParsedFile, 'hasUnrecognizedPages'>,
  ): Promise<string> {
    const lacksRecognition = hasUnrecognizedPages && !(await this.recognition.isAvailable());
    return pipelineFingerprint(content, { lacksRecognition });
  }
}
