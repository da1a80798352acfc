import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isReadTheSameWay, PIPELINE_VERSION, pipelineFingerprint } from './pipeline-version.js';

const content = { sha256: 'c0ffee', contentType: 'text/html' };
const fingerprint = pipelineFingerprint(content);

describe('content that is brought in again', () => {
  it('is read as it was where this version has read it', () => {
    assert.equal(isReadTheSameWay({ ...content, fingerprint }), true);
  });

  it('is read otherwise by another version, as another type, and when it is something else', () => {
    const others = [
      { ...content, fingerprint: 'of another version' },
      { ...content, fingerprint: null },
      { ...content, contentType: 'application/pdf', fingerprint },
      { ...content, sha256: 'decaf', fingerprint },
    ];
    for (const made of others) assert.equal(isReadTheSameWay(made), false, JSON.stringify(made));
  });

  it('is fetched as it was where text recognition was missing, and is no longer the same where it is there', () => {
    const lacking = pipelineFingerprint(content, { lacksRecognition: true });
    assert.notEqual(lacking, fingerprint);
    assert.equal(isReadTheSameWay({ ...content, fingerprint: lacking }), true);
  });

  it('is read anew where nobody knows what it was', () => {
    assert.equal(isReadTheSameWay({ ...content, sha256: null, fingerprint }), false);
    assert.equal(isReadTheSameWay({ ...content, contentType: null, fingerprint }), false);
  });

  it('has a fingerprint with the version in it', () => {
    // `printf '6\ntext/html\nc0ffee' | sha256sum`; another form would have everything read anew.
    assert.equal(PIPELINE_VERSION, 6);
    assert.equal(fingerprint, '40df3aaee93b448217d0f5c9a3048f16ff5842f3cdc2470de9dc87b05a23f6d9');
  });
});
