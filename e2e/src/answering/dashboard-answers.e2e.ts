import { chromiumForTests } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { Tenant } from '../client/tenant.js';
import { launchChromium, signInWithKey, Window } from '../dashboard/browser-fixture.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { type DeploymentWithModel, startWithModel } from '../deployments/model.deployment.js';
import { expectSoon } from '../dashboard/expect-soon.js';

const executablePath = await chromiumForTests();

/** The tests continue the conversation of the previous ones. */
(executablePath === null ? describe.skip : describe)('answers in the dashboard', () => {
  let started: DeploymentWithModel;
  let tenant: Tenant;
  let browser: Browser;
  let window: Window;
  let page: Page;

  beforeAll(async () => {
    started = await startWithModel(startEmbedded, { CHAT_MODEL: 'test-chat' });
    tenant = await Tenant.create(started.deployment);
    const { id: datastoreId } = await tenant.datastore('Bicycles');
    await tenant.text(datastoreId, 'Bicycles are guaranteed for two years.', { name: 'Warranty' });
    await tenant.agent({ datastoreIds: [datastoreId] });
    browser = await launchChromium(executablePath ?? '');
    window = await Window.open(browser, started.deployment.origin);
    ({ page } = window);
    await page.goto(`${started.deployment.origin}/ask`);
    await signIn();
  });
  afterAll(async () => {
    await window.close();
    await browser.close();
    await started.stop();
  });

  const field = () => page.getByLabel('Ask a question about your documents');
  const answer = () => page.getByRole('article').last();
  async function signIn(): Promise<void> {
    await signInWithKey(page, tenant.api.key ?? '');
    await field().waitFor();
  }
  /** Asks in a new conversation. The model counts slowly. */
  async function ask(question: string): Promise<void> {
    const counted = Array.from({ length: 40 }, (_, index) => `count ${index}, `);
    started.model.next({ kind: 'chat', deltas: ['Two years [1]: ', ...counted, 'the end.'], delayMs: 150 });
    const another = page.getByRole('button', { name: 'New conversation' });
    if (await another.isEnabled()) await another.click();
    await field().fill(question);
    await field().press('Enter');
    await answer().getByText('count 2').waitFor();
  }

  it('show what a source says in place of a sentence', async () => {
    started.model.next({ kind: 'chat', deltas: ['Bicycles are guaranteed for twelve years [1].'] });
    await field().fill('How long are bicycles guaranteed?');
    await field().press('Enter');
    const warning = answer().getByRole('status', { name: 'A source says otherwise' });
    await warning.getByText('[1] says “two years”, the answer “twelve years”').waitFor();
    await answer().getByLabel('No source supports this').waitFor();
    expect(await window.seriousViolations()).toEqual([]);
    await page.reload();
    await warning.waitFor();
  });

  it('go on after a reload, and when one comes back from another page', async () => {
    await ask('How long are bicycles guaranteed?');
    expect(page.url()).toMatch(/conversation=/);
    await page.reload();
    await answer().getByText('How long are bicycles guaranteed?').waitFor();
    await answer().getByText('count 10').waitFor();
    const navigation = page.getByRole('navigation');
    await navigation.getByRole('link', { name: 'Library' }).click();
    await page.getByRole('link', { name: /^Bicycles/ }).waitFor();
    await navigation.getByRole('link', { name: 'Ask' }).click();
    await answer().getByText('the end.').waitFor();
    await answer().getByRole('link', { name: 'Source 1: Warranty' }).waitFor();
    await answer().getByRole('button', { name: 'Copy with sources' }).waitFor();
    expect(started.model.requests.at(-1)?.aborted).toBe(false);
    expect(await window.seriousViolations()).toEqual([]);
  });

  it('are stopped with their sources', async () => {
    await ask('How long are the bicycles guaranteed?');
    await page.getByRole('button', { name: 'Stop' }).click();
    await answer().getByText('You stopped this answer.').waitFor();
    expect(started.model.requests.at(-1)?.aborted).toBe(true);
    await page.reload();
    await answer().getByText('You stopped this answer.').waitFor();
    await answer().getByRole('link', { name: 'Source 1: Warranty' }).waitFor();
    expect(await answer().getByText('the end.').count()).toBe(0);
  });

  it('are printed whole, with their sources', async () => {
    await page.emulateMedia({ media: 'print' });
    await answer().getByText('[1] Warranty').waitFor();
    await expectSoon(() => field().isVisible(), false);
    await expectSoon(() => page.getByRole('navigation').isVisible(), false);
    // Nothing around the answer cuts it off, as high as it may be.
    await page.setViewportSize({ width: 700, height: 200 });
    const cut = await page.evaluate<string[]>(`(() => {
      const around = [];
      for (let at = [...document.querySelectorAll('article')].at(-1); at !== document.documentElement; at = at.parentElement)
        if (getComputedStyle(at).overflowY !== 'visible' && at.scrollHeight > at.clientHeight) around.push(at.className);
      return around;
    })()`);
    expect(cut).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ media: 'screen' });
  });

  it('are copied, also where the browser gives the page no clipboard', async () => {
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await answer().getByRole('button', { name: 'Copy text' }).click();
    await answer().getByRole('button', { name: 'Copied' }).waitFor();
    await field().focus();
    await page.keyboard.press('ControlOrMeta+V');
    await expectSoon(() => field().inputValue(), expect.stringMatching(/^Two years: count 0/));
    await field().fill('');
  });

  it('wait for the sign-in when the session has ended: the question is kept', async () => {
    await page.evaluate(() => fetch('/api/session', { method: 'DELETE', headers: { 'citewell-csrf': '1' } }));
    await field().fill('What is guaranteed for two years?');
    await field().press('Enter');
    await page.getByText('Your session has ended').waitFor();
    await signIn();
    await expectSoon(() => field().inputValue(), 'What is guaranteed for two years?');
    await answer().getByText('You stopped this answer.').waitFor();
  });
});
