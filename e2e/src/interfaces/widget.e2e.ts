import { apiKeyWithSecretSchema, datasourceSchema } from '@citewell/contracts/schemas';
import { buildPdf, drawPages } from '@citewell/documents/test-files';
import { chromiumForTests } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../dashboard/browser-fixture.js';
import { takeScreenshots } from '../dashboard/screenshots.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { modelFixture } from '../deployments/model.deployment.js';
import { type ShopSite, startShop } from './widget/shop-site.js';
import { expectSoon } from '../dashboard/expect-soon.js';

const executablePath = await chromiumForTests();

const ANSWER = [
  '**Two years** from the day of purchase [1].\n\n',
  '- The battery: one year, or 500 charges [1]\n',
  '- Keep the `receipt`\n',
];

(executablePath === null ? describe.skip : describe)('the widget', () => {
  const fixture = modelFixture(startEmbedded, {
    CHAT_MODEL: 'test-chat',
    VISITOR_RATE_LIMIT_PER_MINUTE: '0',
    ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
    TESSERACT_PATH: 'none',
  });
  let browser: Browser;
  let shop: ShopSite;
  let agentId: string;
  let key: { id: string; key: string };

  beforeAll(async () => {
    const { tenant, deployment } = fixture();
    [shop, browser] = await Promise.all([startShop(), launchChromium(executablePath ?? '')]);
    const { id: datastoreId } = await tenant.datastore();
    const config = { source_url: `http://127.0.0.1:${shop.port}/warranty` };
    const page = { type: 'web_page', datastoreId, name: 'Warranty of bicycles', config };
    const created = await tenant.api.post('/datasources', page);
    await tenant.waitUntilSynched(created.as(datasourceSchema).id);
    shop.service = deployment.origin;
    ({ agentId, key } = await publish('Bicycle advice', datastoreId));
    shop.tag = tagOf(agentId, key);
  });
  const publish = async (name: string, datastoreId: string) => {
    const { tenant } = fixture();
    const agent = await tenant.agent({
      name,
      description: 'Ask about warranty, repairs and prices.',
      visibility: 'public',
      datastoreIds: [datastoreId],
    });
    const allowedOrigins = [`http://127.0.0.1:${shop.port}`];
    const body = { name: 'Shop', scopes: ['publishable'], agentId: agent.id, allowedOrigins };
    const created = await tenant.api.post('/api-keys', body);
    return { agentId: agent.id, key: created.as(apiKeyWithSecretSchema) };
  };
  const tagOf = (id: string, { key: secret }: { key: string }): string =>
    `<script src="${shop.service}/widget.js" data-agent="${id}" data-key="${secret}" async></script>`;
  afterAll(async () => {
    await browser.close();
    await shop.close();
  });

  const open = async (address: string): Promise<Page> => {
    const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(address);
    return page;
  };
  const openShop = (): Promise<Page> => open(`http://127.0.0.1:${shop.port}/`);
  const isComplete = (page: Page) => page.getByRole('button', { name: 'Send' }).waitFor();
  const ask = async (page: Page, question: string): Promise<void> => {
    // While an answer arrives, Enter sends nothing.
    await isComplete(page);
    await page.getByPlaceholder('Your question').fill(question);
    await page.keyboard.press('Enter');
  };
  const launcher = (page: Page) => page.getByRole('button', { name: 'Open chat' });

  it('answers on a page of another origin with a strict policy, and cites', async () => {
    const { model } = fixture();
    const page = await openShop();
    const errors: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    await launcher(page).waitFor();
    await takeScreenshots(page, 'widget-1-launcher');
    await launcher(page).click();
    await page.getByRole('heading', { name: 'Bicycle advice' }).waitFor();
    await takeScreenshots(page, 'widget-2-empty');

    model.next({ kind: 'chat', deltas: ANSWER });
    await ask(page, 'How long is the warranty?');
    await page.getByText('receipt').waitFor();
    await isComplete(page);
    await takeScreenshots(page, 'widget-3-answer');

    const citation = page.getByRole('button', { name: 'Source 1: Warranty of bicycles' });
    await citation.first().click();
    const card = page.getByRole('article');
    const quote = card.getByRole('blockquote').first();
    await expectSoon(
      () => quote.innerText(),
      expect.stringMatching(/^Bicycles are guaranteed for two years from the day/),
    );
    await card.getByText('Whole passage').click();
    await expectSoon(
      () => card.getByRole('blockquote').last().innerText(),
      expect.stringMatching(/^Warranty\n+Duration\n/),
    );
    const link = card.getByRole('link', { name: 'Open the document' });
    expect(await link.getAttribute('href')).toContain(`http://127.0.0.1:${shop.port}/warranty`);
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    await takeScreenshots(page, 'widget-4-citation');
    await page.keyboard.press('Escape');
    await expectSoon(() => card.count(), 0);
    await expectSoon(() => citation.first().evaluate((chip) => chip.matches(':focus')), true);
    await page.keyboard.press('Escape');
    await expectSoon(() => launcher(page).evaluate((button) => button.matches(':focus')), true);
    expect(errors).toEqual([]);
    expect([...hosts]).toEqual([new URL(shop.service).host]);
  });

  it('says which text was recognized, and which query of a table was counted', async () => {
    const { model, tenant } = fixture();
    const { id } = await tenant.datastore('repairs');
    const scan = await tenant.upload(id, {
      name: 'poster.pdf',
      mimeType: 'application/pdf',
      content: Uint8Array.from(
        buildPdf(
          drawPages(buildPdf([[{ text: 'The workshop repairs bicycles on Saturday morning.', y: 700 }]])),
        ),
      ),
    });
    await tenant.file(
      id,
      ['Repair,Part', '1,Brake', '2,Chain', '3,Brake', '4,Lamp', '5,Bell'].join('\n'),
      'repairs.csv',
    );
    await tenant.waitUntilSynched(scan.id);
    const { tag } = shop;
    const published = await publish('Repairs', id);
    shop.tag = tagOf(published.agentId, published.key);
    const page = await openShop();
    shop.tag = tag;
    await launcher(page).click();

    model.next({ kind: 'chat', deltas: ['On Saturday morning [1].'] });
    await ask(page, 'When does the workshop repair bicycles?');
    await page.getByRole('button', { name: 'Source 1: poster.pdf' }).first().click();
    await page.getByText(/^Page 1 · recognized text, \d+ %$/).waitFor();
    await takeScreenshots(page, 'widget-11-recognized');

    const sql = "SELECT part, count(*) FROM t1 WHERE part = 'Brake' GROUP BY part";
    model.next(
      { kind: 'chat', deltas: ['How many repairs had the part Brake?'] },
      { kind: 'chat', deltas: [JSON.stringify({ tool: 'query_tables', arguments: { sql } })] },
      { kind: 'chat', deltas: ['Two repairs [1].'] },
    );
    await ask(page, 'How many repairs had the part Brake?');
    await page.getByRole('button', { name: 'Source 1: repairs.csv' }).first().click();
    const queries = page.getByRole('group').filter({ hasText: 'Query and rows' });
    await page.getByText('1 · Brake').first().waitFor();
    expect(await queries.getByText(sql).isVisible()).toBe(false);
    await queries.getByText('Query and rows').click();
    await queries.getByText(sql).waitFor();
    await queries.getByRole('cell', { name: 'Brake' }).waitFor();
    await takeScreenshots(page, 'widget-12-query');
  });

  it('keeps the conversation after a reload, until the visitor starts over', async () => {
    const { model, tenant } = fixture();
    const page = await openShop();
    await launcher(page).click();
    await ask(page, 'How long is the warranty?');
    await page.getByText('The sources say so').waitFor();
    await isComplete(page);
    await page.reload();
    await launcher(page).click();
    await page.getByText('The sources say so').waitFor();
    // Two replies: the question is rewritten with the conversation, then answered.
    model.next({ kind: 'chat', deltas: ['How long is the warranty of the battery?'] });
    model.next({ kind: 'chat', deltas: ['One year [1].'] });
    await ask(page, 'And the battery?');
    await page.getByText('One year').waitFor();
    await isComplete(page);
    const [conversation] = (await tenant.api.get(`/conversations?agentId=${agentId}`)).json as {
      id: string;
    }[];
    const { messages } = (await tenant.api.get(`/conversations/${conversation?.id}`)).json as {
      messages: object[];
    };
    expect(messages).toHaveLength(4);
    await page.getByRole('button', { name: 'Start over' }).click();
    await expectSoon(() => page.getByText('One year').count(), 0);
    await page.reload();
    await launcher(page).click();
    await expectSoon(() => page.getByText('The sources say so').count(), 0);
  });

  it('shows an abstention, a stopped answer, and text from right to left', async () => {
    const { model } = fixture();
    const page = await openShop();
    await launcher(page).click();
    await ask(page, 'Who won the chess championship?');
    await page.getByText('I found nothing about this in the documents.').waitFor();
    // Each question after the first is rewritten.
    const rewritten = { kind: 'chat', deltas: ['How long is the warranty of bicycles?'] } as const;
    model.next(rewritten, {
      kind: 'chat',
      deltas: ['Two years from the day of purchase, and ', 'more'],
      delayMs: 30_000,
    });
    await ask(page, 'How long is the warranty of bicycles?');
    await page.getByText('Two years from the day').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped.').waitFor();
    model.next(rewritten, {
      kind: 'chat',
      deltas: ['الضمان **سنتان** من يوم الشراء [1].\n\n| Teil | Dauer |\n|---|---|\n| Akku | ein Jahr |'],
    });
    await ask(page, 'Donaudampfschifffahrtsgesellschaftskapitänswitwenversicherung: warranty of bicycles?');
    await page.getByText('سنتان').waitFor();
    await isComplete(page);
    await takeScreenshots(page, 'widget-5-states');
  });

  it('follows the attributes of its script', async () => {
    const attributes =
      'data-theme="dark" data-accent="#ffd400" data-position="left" data-lang="de" data-title="Fahrradberatung"';
    const { tag } = shop;
    shop.tag = tag.replace('async', `${attributes} data-greeting="Fragen Sie uns." async`);
    const page = await openShop();
    shop.tag = tag;
    await page.getByRole('button', { name: 'Chat öffnen' }).click();
    await page.getByText('Fragen Sie uns.').waitFor();
    const panel = page.getByRole('dialog', { name: 'Fahrradberatung' });
    expect((await panel.boundingBox())?.x).toBe(24);
    await page.getByPlaceholder('Ihre Frage').fill('Was kostet eine Reparatur?');
    const colors = await page.getByRole('button', { name: 'Senden' }).evaluate((button) => {
      const style = button.ownerDocument.defaultView?.getComputedStyle(button);
      return [style?.backgroundColor, style?.color];
    });
    // Dark text is readable on yellow.
    expect(colors).toEqual(['rgb(255, 212, 0)', 'rgb(17, 17, 17)']);
    await takeScreenshots(page, 'widget-10-attributes');
  });

  it('is not shown on a page that may not use the key, and tells the author why', async () => {
    const page = await (await browser.newContext()).newPage();
    const [warning] = await Promise.all([
      page.waitForEvent('console', (message) => message.type() === 'warning'),
      page.goto(`http://localhost:${shop.port}/`),
    ]);
    expect(warning.text()).toContain(`Pages of http://localhost:${shop.port} may not use this key.`);
    expect(await page.getByRole('button').count()).toBe(0);
    await takeScreenshots(page, 'widget-6-refused');
  });

  it('asks again after a failure', async () => {
    const { model } = fixture();
    const page = await openShop();
    await launcher(page).click();
    model.next({ kind: 'chat', deltas: ['Two '], end: 'error-frame' });
    await ask(page, 'How long is the warranty?');
    const retry = page.getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    await takeScreenshots(page, 'widget-7-failed');
    await retry.click();
    expect(await page.getByPlaceholder('Your question').evaluate((field) => field.matches(':focus'))).toBe(
      true,
    );
    await page.getByText('The sources say so').waitFor();
  });

  it('is a page of its own, until the key is revoked', async () => {
    const { tenant, model } = fixture();
    const address = `${shop.service}/chat/${key.key}`;
    const page = await open(address);
    expect(await page.title()).toBe('Bicycle advice');
    await page.getByText('Ask about warranty, repairs and prices.').waitFor();
    model.next({ kind: 'chat', deltas: ANSWER });
    await ask(page, 'How long is the warranty?');
    await isComplete(page);
    await page.getByRole('button', { name: 'Source 1: Warranty of bicycles' }).last().click();
    await takeScreenshots(page, 'widget-8-page');

    (await tenant.api.delete(`/api-keys/${key.id}`)).assertOk();
    for (const missing of [address, `${shop.service}/chat/x`, `${shop.service}/chat/${tenant.api.key}`]) {
      const response = await page.goto(missing);
      expect(response?.status()).toBe(404);
      await page.getByRole('heading', { name: 'This chat is not available' }).waitFor();
    }
    await takeScreenshots(page, 'widget-9-revoked');
  });

  it('is a small script that browsers keep', async () => {
    const first = await fetch(`${shop.service}/widget.js`);
    expect(first.headers.get('content-type')).toBe('application/javascript; charset=utf-8');
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
    const etag = first.headers.get('etag') ?? '';
    // Without `cache-control`, the `fetch` of Node adds `no-cache`.
    const headers = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
    const second = await fetch(`${shop.service}/widget.js`, { headers });
    expect([second.status, await second.text()]).toEqual([304, '']);
  });
});
