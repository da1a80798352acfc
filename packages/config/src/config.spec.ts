import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConfigError, loadConfig, loadScaledConfig } from './config.js';

describe('loadConfig', () => {
  it('has a default for every required variable', () => {
    const config = loadConfig({});
    assert.equal(config.PORT, 3000);
    assert.equal(config.RATE_LIMIT_PER_MINUTE, 600);
    assert.equal(config.DATABASE_URL, undefined);
    assert.deepEqual(config.ALLOW_PRIVATE_NETWORKS, []);
  });

  it('treats an empty variable as unset', () => {
    assert.equal(loadConfig({ PORT: '', CHAT_MODEL: '' }).PORT, 3000);
  });

  it('lists every invalid variable without its value', () => {
    const env = {
      PORT: '70000',
      DATABASE_URL: 'mysql://root:hunter2@db/x',
      LOG_LEVEL: 'loud',
      CITEWELL_API_KEY: 'hunter2',
    };
    assert.throws(
      () => loadConfig(env),
      (error: unknown) =>
        error instanceof ConfigError &&
        error.problems.length === 4 &&
        ['PORT', 'DATABASE_URL', 'LOG_LEVEL', 'CITEWELL_API_KEY'].every((name) =>
          error.message.includes(name),
        ) &&
        !error.message.includes('hunter2'),
    );
  });

  it('rejects a variable without the variable that it belongs to', () => {
    assert.throws(() => loadConfig({ S3_ACCESS_KEY_ID: 'id' }), /S3_SECRET_ACCESS_KEY/);
    assert.throws(() => loadConfig({ QDRANT_API_KEY: 'key' }), /QDRANT_URL/);
  });

  it('reads the proxy settings', () => {
    const config = loadConfig({ HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: 'example.org, .internal' });
    assert.equal(config.HTTPS_PROXY, 'http://proxy:3128');
    assert.deepEqual(config.NO_PROXY, ['example.org', '.internal']);
    assert.throws(
      () => loadConfig({ HTTPS_PROXY: 'socks5://user:hunter2@proxy' }),
      /HTTPS_PROXY(?!.*hunter2)/,
    );
  });

  it('reads lists and numbers', () => {
    const config = loadConfig({
      ALLOW_PRIVATE_NETWORKS: '10.0.0.0/8, 127.0.0.0/8',
      MAX_UPLOAD_BYTES: '1024',
    });
    assert.deepEqual(config.ALLOW_PRIVATE_NETWORKS, ['10.0.0.0/8', '127.0.0.0/8']);
    assert.equal(config.MAX_UPLOAD_BYTES, 1024);
  });
});

it('loadScaledConfig lists the missing variables of an app in its own process', () => {
  assert.throws(() => loadScaledConfig({}), /DATABASE_URL[\s\S]*QDRANT_URL/);
});
