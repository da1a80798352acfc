import { chromiumForTests } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Deployment } from './deployments/deployment.js';
import { startEmbedded } from './deployments/embedded.deployment.js';

const executablePath = await chromiumForTests();

(executablePath === null ? describe.skip : describe)('the documentation page', () => {
  let deployment: Deployment;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    deployment = await startEmbedded();
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
    page = await browser.newPage();
    await page.goto(`${deployment.baseUrl}/docs#Answers.query`);
    await page.waitForSelector('#Schemas');
  });
  afterAll(async () => {
    await browser.close();
    await deployment.stop();
  });

  it('opens the section that its address names', async () => {
    const isOpen = async (id: string): Promise<boolean> => (await page.$(`[id="${id}"][open]`)) !== null;
    expect([await isOpen('Answers.query'), await isOpen('Datasource')]).toEqual([true, false]);
    await page.click('[id="Answers.query"] a[href="#AgentQuery"]');
    expect(await isOpen('AgentQuery')).toBe(true);
  });

  it('has a section for every link, and a link to every section', async () => {
    const attributes = async (selector: string, name: string): Promise<string[]> =>
      Promise.all((await page.$$(selector)).map(async (element) => (await element.getAttribute(name)) ?? ''));
    const links = new Set((await attributes('a[href^="#"]', 'href')).map((href) => href.slice(1)));
    const ids = await attributes('[id]', 'id');
    expect(ids.length).toBeGreaterThan(50);
    expect([...links].toSorted()).toEqual(ids.toSorted());
  });
});
