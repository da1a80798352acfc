import type { RunEntity } from '@citewell/database';
import { SPACE } from '@citewell/infrastructure';
import { type FingerprintedContent, pipelineFingerprint } from '@citewell/ingestion';
import type { Space } from '@citewell/vector-store';
import { Inject, Injectable } from '@nestjs/common';
import { TextRecognition } from '../recognition/text-recognition.js';
import type { ParsedFile } from '../sandbox/parse-protocol.js';

/**
 * Decides whether a run would give another result than the serving run. A serving run in another vector space
 * is never equal: the document must be indexed again. Content that was parsed without text recognition is
 * parsed again once recognition is installed.
 */
@Injectable()
export class ChangeDetector {
  constructor(
    @Inject(TextRecognition) private readonly recognition: Pick<TextRecognition, 'isAvailable'>,
    @Inject(SPACE) private readonly space: Space,
  ) {}

  /** Whether parsing the content would give the serving document again. */
  async isContentUnchanged(serving: RunEntity | null, content: FingerprintedContent): Promise<boolean> {
    if (serving?.space !== this.space.name) return false;
    if (serving.fingerprint === pipelineFingerprint(content)) return true;
    return this.lacksRecognition(serving, content) && !(await this.recognition.isAvailable());
  }

  /** Whether the parsed document is equal to the serving one, such as for a file that was saved again. */
  isDocumentUnchanged(serving: RunEntity | null, textHash: string): serving is RunEntity {
    return serving?.space === this.space.name && serving.textHash === textHash;
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
