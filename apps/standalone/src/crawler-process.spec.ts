import { expect, it } from '@jest/globals';
import { crawlerEnvironment } from './crawler-process.js';

it('gives the crawler the secrets of its stores, the key of those of sources, and no others', () => {
  const kept = {
    PATH: '/bin',
    CRAWL_DELAY_MS: '0',
    HTTPS_PROXY: 'http://user:pass@proxy',
    REDIS_URL: 'redis://:pass@queue',
    S3_SECRET_ACCESS_KEY: 's3',
    AWS_SECRET_ACCESS_KEY: 'aws',
    QDRANT_API_KEY: 'vectors',
    CITEWELL_SECRET: 'seal',
  };
  const secrets = {
    CITEWELL_API_KEY: 'cw_1',
    CITEWELL_ADMIN_KEY: 'cw_2',
    OPENAI_API_KEY: 'sk-1',
    SOME_NEW_API_KEY: 'sk-2',
    SMTP_URL: 'smtp://user:pass@mail',
    MAIL_FROM: 'a@example.org',
  };
  const blank = Object.fromEntries(Object.keys(secrets).map((name) => [name, '']));
  const given = crawlerEnvironment({ ...kept, ...secrets, DATABASE_URL: 'before' }, 'postgres://now');
  expect(given).toEqual({ ...kept, ...blank, DATABASE_URL: 'postgres://now' });
});
