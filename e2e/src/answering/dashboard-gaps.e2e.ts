import { gapSchema, personWithTokenSchema, webhookWithSecretSchema } from '@citewell/contracts/schemas';
import { chromiumForTests, freePort } from '@citewell/testing';
import { MailServer } from '@citewell/testing/mail-server';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { z } from 'zod';
import { ApiClient } from '../client/api-client.js';
import { Tenant, until } from '../client/tenant.js';
import { launchChromium, Window } from '../dashboard/browser-fixture.js';
import { takeScreenshots } from '../dashboard/screenshots.js';
import { API_KEY, type Deployment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { WebhookReceiver } from '../fixtures/webhook-receiver.js';
import { query } from '../specification/leftovers.js';

/** The text of a mail, whose lines are quoted-printable. */
const textOf = (source: string): string =>
  Buffer.from(
    source
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString();

const executablePath = await chromiumForTests();
const PASSWORD = 'correct horse battery';
const EMAIL = 'grace@example.com';
const DOGS = 'Are dogs allowed in the office?';
const LEAVE = 'Is there parental leave?';
/** Columns with times, by table. */
const TIMES = {
  gaps: ['created_at', 'last_asked_at', 'marked_at', 'checked_at'],
  messages: ['created_at'],
  datasources: ['last_synch'],
  runs: ['finished_at'],
};

(executablePath === null ? describe.skip : describe)('what is missing', () => {
  let mailServer: MailServer;
  let receiver: WebhookReceiver;
  let deployment: Deployment;
  let browser: Browser;
  let tenant: Tenant;
  let datastoreId: string;
  let agentId: string;
  beforeAll(async () => {
    [mailServer, receiver] = [await MailServer.start(), await WebhookReceiver.start()];
    const port = await freePort();
    deployment = await startEmbedded({
      PORT: String(port),
      CITEWELL_API_KEY: API_KEY,
      CITEWELL_SECRET: 'a-secret-of-the-operator',
      MODEL_NETWORKS: '127.0.0.0/8',
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'citewell@example.com',
      PUBLIC_URL: `http://localhost:${port}`,
    });
    tenant = new Tenant(new ApiClient(deployment.baseUrl, API_KEY), '');
    datastoreId = (await tenant.datastore('Handbook')).id;
    await tenant.text(datastoreId, 'The cellar was painted green by Mr Miller in May.', { name: 'Painting' });
    agentId = (await tenant.agent({ name: 'Support', datastoreIds: [datastoreId] })).id;
    browser = await launchChromium(executablePath ?? '');
  });
  afterAll(async () => {
    await browser.close();
    await deployment.stop();
    await receiver.close();
    await mailServer.stop();
  });

  async function signIn(role: 'owner' | 'member', email: string): Promise<Window> {
    const { token } = (await tenant.api.post('/people', { email, role })).as(personWithTokenSchema.strict());
    const window = await Window.open(browser, deployment.origin);
    const { page } = window;
    await page.goto(`${deployment.origin}/missing#invite=${token}`);
    await page.getByLabel('Name').fill(email);
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await page.getByRole('button', { name: 'Save and sign in' }).waitFor({ state: 'detached' });
    return window;
  }

  const gaps = async () => (await tenant.api.get('/gaps')).as(z.array(gapSchema.strict()));
  const card = (page: Page, question: string) => page.getByRole('article', { name: question });

  /** All that happened so far happened two days before. */
  async function letDaysPass(): Promise<void> {
    for (const [table, columns] of Object.entries(TIMES))
      for (const column of columns)
        await query(deployment, `UPDATE ${table} SET ${column} = ${column} - interval '2 days'`, []);
  }

  it('is grouped, marked, asked again at night, and who marked it is told', async () => {
    const hook = { url: receiver.urlOf('/gaps'), events: ['gap.answered', 'gap.unanswered'] };
    const { secret } = (await tenant.api.post('/webhooks', hook)).as(webhookWithSecretSchema.strict());
    receiver.secrets.set('/gaps', secret);
    const member = await signIn('member', 'ada@example.com');
    // Nothing of it is for members.
    await member.page.getByText('There is no such page').waitFor();
    await member.page.goto(`${deployment.origin}/ask`);
    await member.page.getByRole('textbox', { name: /ask/i }).fill(LEAVE);
    await member.page.keyboard.press('Enter');
    await member.page.getByRole('button', { name: 'Good' }).last().waitFor();
    await member.close();
    for (const question of [DOGS, 'dogs in the office', 'Can I bring my dog to the office?', 'Hello!'])
      await tenant.ask(agentId, question);
    await until(
      async () => (await gaps()).reduce((sum, { questions }) => sum + questions, 0) === 4,
      'four questions',
    );

    const owner = await signIn('owner', EMAIL);
    const { page } = owner;
    const dogs = card(page, 'dogs in the office');
    await dogs.getByText(`Also: ${DOGS}`, { exact: false }).waitFor();
    await dogs.getByText('Questions: 3 · Days: 1').waitFor();
    expect(await page.getByRole('main').innerText()).not.toContain('ada@example.com');
    expect(await owner.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'missing');
    await card(page, LEAVE).getByRole('button', { name: 'Add to the test questions' }).click();
    await card(page, LEAVE).getByRole('link', { name: 'Added. Write the expected text' }).waitFor();
    await letDaysPass();
    for (const one of [dogs, card(page, LEAVE)]) {
      await one.getByRole('button', { name: 'Mark as answered' }).click();
      await one.waitFor({ state: 'detached' });
    }
    const document = await tenant.text(datastoreId, 'Dogs are allowed in the office on Fridays.', {
      name: 'Dogs',
    });

    await until(
      async () => mailServer.mails.length >= 2 && receiver.messages.length >= 2,
      'two messages',
      150_000,
    );
    expect(mailServer.mails.map(({ recipients }) => recipients)).toEqual([[EMAIL], [EMAIL]]);
    const [answered, unanswered] = mailServer.mails
      .map(({ source }) => textOf(source))
      .toSorted((a, b) => Number(b.includes('“Dogs”')) - Number(a.includes('“Dogs”')));
    expect(answered).toContain('“Dogs” has a passage for it');
    expect(unanswered).toContain(LEAVE);
    const found = await gaps();
    const idOf = (state: string) => found.find((gap) => gap.state === state)?.id;
    expect(receiver.messages.map(({ payload }) => [payload.type, payload.data]).toSorted()).toEqual([
      ['gap.answered', { gapId: idOf('answered'), agentId, datasourceId: document.id }],
      ['gap.unanswered', expect.objectContaining({ gapId: idOf('marked') })],
    ]);

    await page.getByText('Answered', { exact: true }).click();
    await dogs.getByRole('link', { name: 'Dogs' }).waitFor();
    await takeScreenshots(page, 'missing-answered');
    await page.getByText('Marked as answered', { exact: true }).click();
    await card(page, LEAVE)
      .getByText(/no document that was added since answers it/)
      .waitFor();
    expect(await owner.seriousViolations()).toEqual([]);
    // Another question opens it again.
    await tenant.ask(agentId, 'parental leave');
    await page.getByText('Open', { exact: true }).click();
    await until(
      async () => (await gaps()).some(({ questions, state }) => questions === 2 && state === 'open'),
      'the question',
    );
    await page.reload();
    await page.getByText('Questions: 2 · Days: 2').waitFor();

    const sent = mailServer.mails.length;
    // The box is checked when the server has stored the setting.
    await page.getByRole('checkbox', { name: 'Mail this to the owners once a week' }).click();
    const comeDue =
      'UPDATE organizations SET gap_mail_due_at = now() WHERE gap_mail_due_at IS NOT NULL RETURNING id';
    await until(async () => (await query(deployment, comeDue, [])).length > 0, 'the setting');
    await until(async () => mailServer.mails.length > sent, 'the mail of the week', 150_000);
    const [week] = mailServer.mails.slice(sent).map(({ source }) => textOf(source));
    expect(week).toContain('Questions that your documents did not answer this week: 2');
    expect(week).toMatch(/- (?:parental leave|Is there parental leave\?) \(2\)/);
    await owner.close();
  });
});
