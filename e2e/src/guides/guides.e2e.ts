import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPdf } from '@citewell/documents/test-files';
import { isWhole } from '@citewell/testing/extent';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Tenant } from '../client/tenant.js';
import { createTemporaryDirectory } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { modelFixture } from '../deployments/model.deployment.js';
import { type Language, outputPattern, programOf, readCodeBlocks, runProgram } from './guide.js';
import { article, TestSite } from '../ingestion/web-sites/test-site.js';

const GUIDES = ['upload', 'crawl', 'ask', 'stream', 'measure'];
const LANGUAGES: readonly Language[] = ['bash', 'ts', 'python'];
const WORKSPACE = fileURLToPath(new URL('../../../', import.meta.url));

describe('the samples of', () => {
  /** `MODEL_GPT_4` is the only model: other agents quote passages. */
  const fixture = modelFixture(startEmbedded, {
    MODEL_GPT_4: 'test-chat',
    ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32',
    CRAWL_DELAY_MS: '0',
    RATE_LIMIT_PER_MINUTE: '0',
  });
  let site: TestSite;
  let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;

  beforeAll(async () => {
    directory = await createTemporaryDirectory();
    await symlink(join(WORKSPACE, 'e2e/node_modules'), join(directory.path, 'node_modules'));
    site = (await TestSite.start())
      .set('/docs', { body: article('docs', { links: ['/docs/install', '/docs/drafts/next', '/blog'] }) })
      .set('/docs/install', { body: article('install') });
  });

  afterAll(async () => {
    await site.stop();
    await directory.remove();
  });

  /** The variables that the guides use, with the key of a new organization. */
  async function environment() {
    const { deployment } = fixture();
    const { api } = await Tenant.create(deployment);
    return { CITEWELL_URL: deployment.origin, CITEWELL_API_KEY: api.key ?? '', SITE: site.origin };
  }

  it.each(GUIDES.flatMap((guide) => LANGUAGES.map((language) => [guide, language] as const)))(
    'docs/guides/%s.md print what the guide says in %s',
    async (guide, language) => {
      const blocks = readCodeBlocks(`docs/guides/${guide}.md`);
      const folder = join(directory.path, `${guide}-${language}`);
      await mkdir(folder);
      const env = await environment();
      const preparation = await runProgram('bash', programOf(blocks, 'sh'), folder, env);
      expect(preparation).toEqual({ code: 0, output: '' });
      const { code, output } = await runProgram(language, programOf(blocks, language), folder, env);
      const promised = programOf(blocks, 'text').replaceAll('https://example.com', site.origin);
      expect(output).toMatch(outputPattern(promised));
      expect(code).toBe(0);
    },
  );

  it.each(LANGUAGES)('docs/guides/stream.md report an error inside a stream in %s', async (language) => {
    const program = programOf(readCodeBlocks('docs/guides/stream.md'), language);
    const withModel = program.replace(/(["'])Reader\1/, '$&, "modelName": "gpt_4"');
    fixture().model.next({ kind: 'chat', deltas: ['The warranty ', 'is '], end: 'cut' });
    const { code, output } = await runProgram(language, withModel, directory.path, await environment());
    expect(output).toMatch(/^The warranty/);
    expect(output).toContain('UPSTREAM_UNAVAILABLE');
    expect(code).toBe(1);
  });

  /** Like {@link environment}, with what the dashboard makes for the first document. */
  async function firstDocument() {
    const { deployment } = fixture();
    const tenant = await Tenant.create(deployment);
    const { id } = await tenant.datastore('My documents');
    await tenant.text(id, 'The warranty of the kettle is three years.');
    return { CITEWELL_URL: deployment.origin, CITEWELL_API_KEY: tenant.api.key ?? '' };
  }

  it.each<[document: string, block: string, language: Language, printed: RegExp]>([
    ['widget', 'sh', 'bash', /"key":"cw_/],
    ['openai', 'sh', 'bash', /three years/],
    ['openai', 'ts', 'ts', /three years/],
    ['mcp', 'sh', 'bash', /three years/],
    ['mcp', 'ts', 'ts', /three years/],
  ])('docs/%s.md work after the first document, in %s', async (document, block, language, printed) => {
    const env = await firstDocument();
    const program = programOf(readCodeBlocks(`docs/${document}.md`), block);
    const { code, output } = await runProgram(
      language,
      program.replaceAll('http://127.0.0.1:3000', env.CITEWELL_URL),
      directory.path,
      env,
    );
    expect(output).toMatch(printed);
    expect(code).toBe(0);
  });

  it('README.md add a file and find an answer in it', async () => {
    const { CITEWELL_URL, CITEWELL_API_KEY } = await firstDocument();
    const file = join(directory.path, 'kettle.pdf');
    await writeFile(file, buildPdf([[{ text: 'The kettle boils water in two minutes.', y: 700 }]]));
    const commands = readCodeBlocks('README.md').find(({ code }) => code.includes('citewell -- ask'))?.code;
    const script = (commands ?? '')
      .replace('http://127.0.0.1:3000', CITEWELL_URL)
      .replace('your-api-key', CITEWELL_API_KEY)
      .replace('your-file.pdf', file)
      .replace('your question', 'How fast does the kettle boil?');
    const { code, output } = await runProgram('bash', `set -e\n${script}`, WORKSPACE, {});
    expect(output).toContain('“The kettle boils water in two minutes.” [1]');
    expect(code).toBe(0);
  });

  // `npm run check` packs and installs them, too.
  (isWhole() ? it : it.skip)('docs/guides/README.md install the npm packages from a clone', async () => {
    const folder = join(directory.path, 'program');
    await mkdir(folder);
    const commands = readCodeBlocks('docs/guides/README.md').find(({ code }) =>
      code.includes('run pack'),
    )?.code;
    const script = `set -e\n${commands?.replaceAll('/path/to/citewell', WORKSPACE) ?? ''}
      node --input-type=module -e "import { Citewell } from '@citewell/sdk'; console.log(Citewell.name)"`;
    const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
    const { code, output } = await runProgram('bash', script, folder, { PATH });
    expect(output).toMatch(/^\d+\.\d+\.\d+\nCitewell\n$/m);
    expect(code).toBe(0);
  });

  it('packages/sdk/README.md print a citation', async () => {
    const program = programOf(readCodeBlocks('packages/sdk/README.md'), 'js');
    const { code, output } = await runProgram('js', program, directory.path, await environment());
    expect(output).toMatch(/^kettle\.md, 8-50: The warranty of the kettle is three years\.$/m);
    expect(code).toBe(0);
  });
});
