import { chromiumForTests } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchChromium, Window } from './browser-fixture.js';
import { takeScreenshots } from './screenshots.js';
import type { Deployment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { expectSoon } from './expect-soon.js';

const executablePath = await chromiumForTests();

/** Each test continues where the one before ended. */
(executablePath === null ? describe.skip : describe)('the first session of the dashboard', () => {
  let deployment: Deployment;
  let browser: Browser;
  let window: Window;
  let page: Page;

  beforeAll(async () => {
    deployment = await startEmbedded({ CITEWELL_API_KEY: '' });
    browser = await launchChromium(executablePath ?? '');
    window = await Window.open(browser, deployment.origin);
    ({ page } = window);
  });
  afterAll(async () => {
    await window.close();
    await browser.close();
    await deployment.stop();
  });

  it('leads from the first start to the first cited answer by mouse alone', async () => {
    const link = /(http\S+\/#sign-in=\S+)/.exec(deployment.processes['standalone']?.output ?? '')?.[1] ?? '';
    await page.goto(link);
    expect(await page.getByLabel('Search with a local model').isChecked()).toBe(true);
    const chosen = page.waitForRequest((request) => request.method() === 'PUT');
    await page.getByRole('button', { name: 'Try it with a sample' }).click();
    expect((await chosen).postDataJSON()).toEqual({ name: 'local:Xenova/multilingual-e5-small' });
    await page.getByText('the sample “Guide to the Lindholm Observatory”').waitFor();
    const question = page.getByRole('button', { name: 'What does a ticket cost for children?', exact: true });
    await question.waitFor();
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'sample');
    const suggestions = await page.locator('main').getByRole('button').allTextContents();
    await question.click();
    const article = page.getByRole('article');
    await article.getByRole('link', { name: 'Source 1: Guide to the Lindholm Observatory' }).click();
    await expectSoon(
      () => page.locator('mark').textContent(),
      expect.stringContaining('4 euros for children'),
    );
    await page.goBack();
    await article.getByText('4 euros for children').first().waitFor();
    await Promise.all([
      page.waitForResponse((response) => response.url().includes('/conversations?')),
      page.getByRole('button', { name: 'New conversation' }).click(),
    ]);
    await page.waitForLoadState('networkidle');
    await expectSoon(() => question.count(), 0);
    // The other suggestions.
    for (const [asked, quote] of [
      ['When is the observatory open?', 'from Wednesday to Sunday, from 14:00 to 22:00'],
      ['What happens if the sky is cloudy?', 'the planetarium shows the sky of the evening instead'],
    ] as const) {
      expect(suggestions).toContain(asked);
      await page.getByLabel('Ask a question about your documents').fill(asked);
      await page.keyboard.press('Enter');
      await article.last().getByText(quote).first().waitFor();
    }
  });

  it('continues with the agent that was used last, and tells agents of the same name apart', async () => {
    let newer = '';
    for (let count = 0; count < 2; count += 1) {
      await page.goto(`${deployment.origin}/agents`);
      await page.getByRole('button', { name: 'New agent' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Assistant');
      await page.getByRole('button', { name: 'Create agent' }).click();
      await page.waitForURL('**/agents/*');
      newer = page.url().split('/').at(-1) ?? '';
    }
    await page.goto(`${deployment.origin}/ask`);
    const chooser = page.getByRole('combobox', { name: 'Agent' });
    await expectSoon(() => chooser.inputValue(), 'All documents');
    await page.goto(`${deployment.origin}/ask?agent=${newer}`);
    await chooser.click();
    const ofTheSameName = page.getByRole('option', { name: /^Assistant · .+/ });
    await expectSoon(() => ofTheSameName.count(), 2);
    await takeScreenshots(page, 'agents-of-the-same-name');
    await page.keyboard.press('Escape');
    await page.goto(`${deployment.origin}/ask`);
    await chooser.waitFor();
    await expectSoon(() => page.evaluate("localStorage.getItem('citewell-agent')"), newer);
    await page.goto(`${deployment.origin}/agents/${newer}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('**/agents');
    await page.goto(`${deployment.origin}/ask`);
    await expectSoon(() => chooser.inputValue(), 'All documents');
  });

  it('is signed in to the API documentation, too', async () => {
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
    // The page draws what is in view. The last tags are there, too.
    await page.goto(`${deployment.baseUrl}/docs#/Webhooks`);
    await page.reload();
    await page.locator('.opblock', { hasText: 'Create a webhook' }).waitFor();
  });
});
