import { documentChangeSchema } from '@citewell/contracts/schemas';
import { chromiumForTests } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { z } from 'zod';
import { ApiClient } from '../client/api-client.js';
import { Tenant } from '../client/tenant.js';
import { launchChromium, signInWithKey, Window } from '../dashboard/browser-fixture.js';
import { takeScreenshots } from '../dashboard/screenshots.js';
import { API_KEY, type Deployment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { query } from '../specification/leftovers.js';

const executablePath = await chromiumForTests();

(executablePath === null ? describe.skip : describe)('what changed in a library', () => {
  let deployment: Deployment;
  let browser: Browser;
  let tenant: Tenant;
  let datastoreId: string;
  beforeAll(async () => {
    deployment = await startEmbedded({ CITEWELL_API_KEY: API_KEY });
    tenant = new Tenant(new ApiClient(deployment.baseUrl, API_KEY), '');
    datastoreId = (await tenant.datastore('Handbook')).id;
    browser = await launchChromium(executablePath ?? '');
  });
  afterAll(async () => {
    await browser.close();
    await deployment.stop();
  });

  const changes = async (parameters = '') =>
    (await tenant.api.get(`/datastores/${datastoreId}/changes${parameters}`)).as(
      z.array(documentChangeSchema.strict()),
    );
  const kinds = async () => (await changes()).map(({ kind, name }) => `${kind} ${name}`);

  it('is added, changed and removed documents, with the sentences that changed', async () => {
    const text = 'Goods can be returned within 14 days.\n\nCall us before.';
    const returns = await tenant.text(datastoreId, text, { name: 'Returns' });
    await tenant.text(datastoreId, 'The office opens at nine.', { name: 'Office' });
    const cellar = await tenant.text(datastoreId, 'The cellar is green.', { name: 'Cellar' });
    await query(
      deployment,
      `UPDATE document_changes SET created_at = created_at - interval '8 days' WHERE name <> 'Office'`,
      [],
    );

    // Neither a new name nor the same text is a change.
    (await tenant.api.patch(`/datasources/${returns.id}`, { name: 'Returning' })).assertOk();
    await tenant.waitUntilSynched(returns.id);
    await tenant.replaceText(datastoreId, returns.id, text);
    await tenant.waitUntilSynched(returns.id);
    expect(await kinds()).toEqual(['added Cellar', 'added Office', 'added Returns']);
    await tenant.replaceText(datastoreId, returns.id, text.replace('14', '30'));
    await tenant.waitUntilSynched(returns.id);
    (await tenant.api.delete(`/datasources/${cellar.id}`)).assertOk();

    const [removed, changed] = await changes(`?limit=2`);
    expect(removed).toMatchObject({ kind: 'removed', name: 'Cellar', sentences: null });
    expect(changed).toMatchObject({
      kind: 'changed',
      datasourceId: returns.id,
      sentences: {
        added: ['Goods can be returned within 30 days.'],
        removed: ['Goods can be returned within 14 days.'],
        addedCount: 1,
        removedCount: 1,
      },
    });

    const agent = await tenant.agent({ datastoreIds: [datastoreId] });
    const ages = async (question: string): Promise<[string, boolean][]> =>
      (await tenant.ask(agent.id, question)).sources.map((source) => [
        source.datasource_name,
        source.changed_at !== undefined,
      ]);
    expect(await ages('Within how many days can goods be returned?')).toContainEqual(['Returning', true]);
    expect(await ages('When does the office open?')).toContainEqual(['Office', false]);
    expect(await changes(`?since=${changed?.at}`)).toHaveLength(2);

    const window = await Window.open(browser, deployment.origin);
    const { page } = window;
    await page.goto(`${deployment.origin}/library/${datastoreId}`);
    await signInWithKey(page, API_KEY);
    await page.getByRole('link', { name: 'What changed' }).click();
    const cards = page.getByRole('article');
    await cards.nth(2).waitFor();
    expect(await cards.evaluateAll((all) => all.map((card) => card.getAttribute('aria-label')))).toEqual([
      'Cellar',
      changed?.name,
      'Office',
    ]);
    const card = cards.nth(1);
    expect(await card.locator('del').innerText()).toBe('Goods can be returned within 14 days.');
    expect(await card.locator('ins').innerText()).toBe('Goods can be returned within 30 days.');
    expect(await cards.first().getByRole('link').count()).toBe(0);
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'changes');
    await page.getByText('Last 30 days').click();
    await cards.nth(3).waitFor();
    await page.getByText('Last day').click();
    await card.getByRole('link').click();
    await page.getByText('within 30 days').first().waitFor();
    await window.close();
  });
});
