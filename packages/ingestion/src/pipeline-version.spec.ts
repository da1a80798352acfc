import { describe, expect, it } from '@jest/globals';
import { isFingerprintCurrent, PIPELINE_VERSION, pipelineFingerprint } from './pipeline-version.js';

const content = { sha256: 'c0ffee', contentType: 'text/html' };
const fingerprint = pipelineFingerprint(content);

describe('isFingerprintCurrent', () => {
  it('accepts a fingerprint of this version', () => {
    expect(isFingerprintCurrent({ ...content, fingerprint })).toBe(true);
  });

  it('refuses another version, another type and other bytes', () => {
    const runs = [
      { ...content, fingerprint: 'of another version' },
      { ...content, fingerprint: null },
      { ...content, contentType: 'application/pdf', fingerprint },
      { ...content, sha256: 'decaf', fingerprint },
    ];
    for (const run of runs)
      expect([JSON.stringify(run), isFingerprintCurrent(run)]).toEqual([JSON.stringify(run), false]);
  });

  it('accepts the fingerprint of a run without text recognition', () => {
    const lacking = pipelineFingerprint(content, { lacksRecognition: true });
    expect(lacking).not.toBe(fingerprint);
    expect(isFingerprintCurrent({ ...content, fingerprint: lacking })).toBe(true);
  });

  it('refuses unknown content', () => {
    expect(isFingerprintCurrent({ ...content, sha256: null, fingerprint })).toBe(false);
    expect(isFingerprintCurrent({ ...content, contentType: null, fingerprint })).toBe(false);
  });
});

describe('pipelineFingerprint', () => {
  it('keeps its format', () => {
    // `printf '14\ntext/html\nc0ffee' | sha256sum`. Another format would process all content again.
    expect(PIPELINE_VERSION).toBe(14);
    expect(fingerprint).toBe('aff9741992fe3e64d32fbebd01a85d450653c4ebe5e6887d38b80e7aad582e4c');
  });
});
