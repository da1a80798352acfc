import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFingerprintCurrent, PIPELINE_VERSION, pipelineFingerprint } from './pipeline-version.js';

const content = { sha256: 'c0ffee', contentType: 'text/html' };
const fingerprint = pipelineFingerprint(content);

describe('isFingerprintCurrent', () => {
  it('accepts a fingerprint of this version', () => {
    assert.equal(isFingerprintCurrent({ ...content, fingerprint }), true);
  });

  it('refuses another version, another type and other bytes', () => {
    const runs = [
      { ...content, fingerprint: 'of another version' },
      { ...content, fingerprint: null },
      { ...content, contentType: 'application/pdf', fingerprint },
      { ...content, sha256: 'decaf', fingerprint },
    ];
    for (const run of runs) assert.equal(isFingerprintCurrent(run), false, JSON.stringify(run));
  });

  it('accepts the fingerprint of a run without text recognition', () => {
    const lacking = pipelineFingerprint(content, { lacksRecognition: true });
    assert.notEqual(lacking, fingerprint);
    assert.equal(isFingerprintCurrent({ ...content, fingerprint: lacking }), true);
  });

  it('refuses unknown content', () => {
    assert.equal(isFingerprintCurrent({ ...content, sha256: null, fingerprint }), false);
    assert.equal(isFingerprintCurrent({ ...content, contentType: null, fingerprint }), false);
  });
});

describe('pipelineFingerprint', () => {
  it('keeps its format', () => {
    // `printf '6\ntext/html\nc0ffee' | sha256sum`. Another format would process all content again.
    assert.equal(PIPELINE_VERSION, 6);
    assert.equal(fingerprint, '40df3aaee93b448217d0f5c9a3048f16ff5842f3cdc2470de9dc87b05a23f6d9');
  });
});
