import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { z } from 'zod';
import { VARIABLES } from './variables.js';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const json = (path: string): object => z.looseObject({}).parse(JSON.parse(read(path)));
const CHART = 'infra/helm/citewell';

const values = z
  .looseObject({
    env: z.record(z.string(), z.string()),
    workers: z.record(
      z.string(),
      z.looseObject({
        env: z.record(z.string(), z.string()),
        resources: z.object({ limits: z.object({ memory: z.string() }) }).loose(),
      }),
    ),
    bundled: z.looseObject({ images: z.record(z.string(), z.string()) }),
  })
  .parse(parse(read(`${CHART}/values.yaml`)));
/** The lists of names in the helper `citewell.secrets`, by app. */
const secrets = z
  .record(z.string(), z.array(z.string()))
  .parse(
    parse(
      /define "citewell\.secrets" -\}\}\n([^{]+)/.exec(read(`${CHART}/templates/_helpers.tpl`))?.[1] ?? '',
    ),
  );

/** What {@link values} and one change of them violate. */
function problems(change: object): unknown[] {
  const isValid = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(
    json(`${CHART}/values.schema.json`),
  );
  isValid({ ...values, ...change });
  return isValid.errors ?? [];
}

describe('the Helm chart', () => {
  it('has values that its schema allows, and refuses others', () => {
    expect(problems({})).toEqual([]);
    expect(problems({ existingsecret: 'typo' })).toHaveLength(1);
    expect(problems({ env: { qdrantUrl: 'http://q:6333' } })).not.toEqual([]);
  });

  it('describes every value', () => {
    const undescribed: string[] = [];
    const visit = (path: string, node: unknown): void => {
      const schema = z
        .looseObject({
          $ref: z.string().optional(),
          enum: z.array(z.unknown()).optional(),
          description: z.string().optional(),
          properties: z.record(z.string(), z.unknown()).optional(),
        })
        .parse(node);
      if (path !== '' && !schema.description && !schema.$ref && !schema.enum) undescribed.push(path);
      for (const [name, child] of Object.entries(schema.properties ?? {})) visit(`${path}.${name}`, child);
    };
    visit('', json(`${CHART}/values.schema.json`));
    expect(undescribed).toEqual([]);
  });

  it('gives apps only variables that exist', () => {
    const given = [
      ...Object.values(secrets).flat(),
      ...Object.keys(values.env),
      ...Object.values(values.workers).flatMap(({ env }) => Object.keys(env)),
    ];
    expect(Object.keys(VARIABLES)).toEqual(expect.arrayContaining(given));
  });

  it('gives every secret variable to an app', () => {
    const secret = Object.keys(VARIABLES).filter((name) =>
      /_KEY$|_KEY_ID$|SECRET|DATABASE_URL|REDIS_URL/.test(name),
    );
    expect(Object.values(secrets).flat()).toEqual(expect.arrayContaining(secret));
  });

  it('keeps the secrets of the API and of models from the parser and the crawler', () => {
    const secretsOf = (app: string): string[] =>
      (secrets[app] ?? []).filter((name) => /_KEY$|SECRET/.test(name));
    // The crawler decrypts the secrets of sources.
    expect([secretsOf('worker-parser'), secretsOf('worker-crawler')]).toEqual([[], ['CITEWELL_SECRET']]);
  });

  it('has the version of the release, and the stores of docker-compose.yml', () => {
    const { version } = z.object({ version: z.string() }).parse(json('packages/sdk/package.json'));
    expect(parse(read(`${CHART}/Chart.yaml`))).toMatchObject({ version, appVersion: version });
    const compose = read('docker-compose.yml');
    for (const image of Object.values(values.bundled.images)) expect(compose).toContain(`image: ${image}\n`);
  });

  it('lets nobody reach the API but pods, unless the values name others, and gives Redis a password', () => {
    const network = read(`${CHART}/templates/network.yaml`);
    const rules = network.match(
      /^ {4}- ports: \[\{ port: http \}\]\n {6}from: \{\{- toYaml \(.* \| default .*$/gm,
    );
    expect(rules).toHaveLength(network.match(/port: http /g)?.length ?? 0);
    expect(network).toContain('(dict "namespaceSelector" dict) (dict "podSelector" dict)');
    const bundled = read(`${CHART}/templates/bundled.yaml`);
    expect(bundled).toContain('REDIS_URL: redis://:{{ $password.REDIS_PASSWORD }}@');
    expect(bundled).toContain('requirepass $REDISCLI_AUTH');
  });

  it('gives the parser more memory than its processes may use', () => {
    const { env, resources } = values.workers['parser'] ?? { env: {}, resources: { limits: { memory: '' } } };
    const limit = Number.parseInt(resources.limits.memory, 10) * 1024 ** 3;
    expect(Number(env['PARSER_CONCURRENCY']) * Number(env['PARSER_MEMORY_BYTES'])).toBeLessThan(limit);
  });
});
