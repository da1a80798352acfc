import { chromiumForTests } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchChromium, Window } from './dashboard/browser-fixture.js';
import { takeScreenshots } from './dashboard/screenshots.js';
import type { Deployment } from './deployments/deployment.js';
import { startEmbedded } from './deployments/embedded.deployment.js';

const executablePath = await chromiumForTests();

(executablePath === null ? describe.skip : describe)('the API documentation', () => {
  let deployment: Deployment;
  let browser: Browser;
  let window: Window;

  beforeAll(async () => {
    deployment = await startEmbedded();
    browser = await launchChromium(executablePath ?? '');
    window = await Window.open(browser, deployment.origin);
  });
  afterAll(async () => {
    await window.close();
    await browser.close();
    await deployment.stop();
  });

  it('tries an operation with the session of the browser', async () => {
    const { page } = window;
    await page.goto(deployment.origin);
    await page.getByLabel(/^API key/).fill(deployment.apiKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Ask your own documents' }).waitFor();
    await page.goto(`${deployment.baseUrl}/docs#/Datastores`);
    const operation = page.locator('.opblock', { hasText: 'Create a datastore' });
    await operation.locator('.opblock-summary').click();
    await operation
      .getByRole('textbox')
      .last()
      .fill(JSON.stringify({ name: 'Tried' }));
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table .response').getByText('"Tried"').waitFor();
    await takeScreenshots(page, 'api-documentation');
    expect(await page.locator('.opblock').count()).toBeGreaterThan(40);
  });
});
