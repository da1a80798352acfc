import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromiumForTests } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { launchChromium } from '../dashboard/browser-fixture.js';
import { createTemporaryDirectory, type Deployment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';

const MAIN = fileURLToPath(new URL('./sdk-runtimes/scenario.main.js', import.meta.url));
const SCENARIO = fileURLToPath(new URL('./sdk-runtimes/scenario.js', import.meta.url));
/** `npx` downloads the programs that npm offers. */
const RUNTIMES: [name: string, command: string, args: string[]][] = [
  ['Node', process.execPath, []],
  ['Bun', 'npx', ['--yes', 'bun@1.4.5', 'run']],
  ['Deno', 'npx', ['--yes', 'deno@2.9.6', 'run', '--no-config', '--node-modules-dir=manual', '--allow-all']],
];

/** The bundle of the scenario, in the page. */
declare const sdk: typeof import('./sdk-runtimes/scenario.js');

const executablePath = await chromiumForTests();
/** The file is larger than the buffers of a connection. */
const CONTENT = `The mast is eleven metres high.\n${' \n'.repeat(1_000_000)}`;
const EXPECTED = {
  hasProgress: true,
  streamText: 'The anchor is red.',
  passage: 'The mast is eleven metres high.',
  isAnswerComplete: true,
  aborts: ['Error: enough of the answer', 'Error: enough of the upload'],
  errors: ['NotFoundError NOT_FOUND', 'NotFoundError NOT_FOUND'],
};

describe('the SDK', () => {
  let deployment: Deployment;
  let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
  let path: string;

  beforeAll(async () => {
    deployment = await startEmbedded();
    directory = await createTemporaryDirectory();
    path = join(directory.path, 'mast.txt');
    await writeFile(path, CONTENT);
  });
  afterAll(async () => {
    await deployment.stop();
    await directory.remove();
  });

  it.each(RUNTIMES)('works in %s', async (_, command, args) => {
    const { stdout } = await promisify(execFile)(
      command,
      [...args, MAIN, deployment.baseUrl, deployment.apiKey, path],
      { timeout: 300_000 },
    );
    expect(JSON.parse(stdout)).toEqual(EXPECTED);
  });

  (executablePath === null ? it.skip : it)(
    'works in a browser, on a page of another origin',
    async () => {
      const bundle = join(directory.path, 'scenario.js');
      await build({
        entryPoints: [SCENARIO],
        bundle: true,
        format: 'iife',
        globalName: 'sdk',
        outfile: bundle,
      });
      const browser = await launchChromium(executablePath ?? '');
      try {
        const page = await browser.newPage();
        await page.addScriptTag({ content: await readFile(bundle, 'utf8') });
        const { baseUrl, apiKey } = deployment;
        const result = await page.evaluate(
          ({ content, ...options }) => sdk.runScenario(options, { file: new File([content], 'mast.txt') }),
          { baseUrl, apiKey, content: CONTENT },
        );
        expect(result).toEqual(EXPECTED);
      } finally {
        await browser.close();
      }
    },
    30_000,
  );
});
