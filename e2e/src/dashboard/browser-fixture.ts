import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const require = createRequire(import.meta.url);
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** A window of Chromium that records what must not happen: errors of scripts, and requests to other origins. */
export class Window {
  private readonly problems: string[] = [];

  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  static async open(
    browser: Browser,
    origin: string,
    options: { width?: number; locale?: string; alsoAllowed?: readonly string[] } = {},
  ): Promise<Window> {
    const context = await browser.newContext({
      viewport: { width: options.width ?? 1280, height: 800 },
      locale: options.locale ?? 'en-US',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const window = new Window(context, page);
    page.on('pageerror', (error) => window.problems.push(error.message));
    page.on('console', (message) => {
      // Includes violations of the Content-Security-Policy. Failed requests have a test of their own.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        window.problems.push(message.text());
    });
    // No test downloads a model: the guide offers one, ticked.
    await page.route('**/api/models/embedding', (route) =>
      route.request().postData()?.includes('local:Xenova/') ? route.abort() : route.continue(),
    );
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (
        ['http:', 'https:'].includes(url.protocol) &&
        url.origin !== origin &&
        !options.alsoAllowed?.includes(url.origin)
      )
        window.problems.push(`request to ${url.origin}`);
    });
    return window;
  }

  /** Opens a page of the main navigation. Until it is shown, links and fields of the former page can be found. */
  async navigate(entry: string): Promise<void> {
    await this.page.getByRole('navigation').getByRole('link', { name: entry }).click();
    await this.page.getByRole('heading', { level: 1, name: entry, exact: true }).waitFor();
  }

  /** Asserts that there was no error and no request to another origin, and closes the window. */
  async close(): Promise<void> {
    await this.context.close();
    expect(this.problems).toEqual([]);
  }

  /** The rules that axe finds violated, if they are serious, with the elements. */
  async seriousViolations(): Promise<string[]> {
    return (await this.violations())
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ text }) => text);
  }

  /** The rules that axe finds violated, with the elements; in dark colours, only the rules about colours. */
  async violations(): Promise<{ impact: string; text: string }[]> {
    // Evaluated by the debugger, so the policy of the page does not apply.
    if (!(await this.page.evaluate("'axe' in globalThis"))) await this.page.evaluate(AXE);
    const light = await this.axe([]);
    await this.page.emulateMedia({ colorScheme: 'dark' });
    await this.page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    await this.page.evaluate(
      'Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished))',
    );
    const dark = await this.axe(COLOR_RULES);
    await this.page.emulateMedia({ colorScheme: 'light' });
    return [...light, ...dark.map(({ impact, text }) => ({ impact, text: `dark: ${text}` }))];
  }

  /** @param rules none means all */
  private axe(rules: readonly string[]): Promise<{ impact: string; text: string }[]> {
    return this.page.evaluate(async (only) => {
      const { axe } = globalThis as unknown as {
        axe: {
          run(options: object): Promise<{
            violations: { id: string; impact: string; nodes: { html: string }[] }[];
          }>;
        };
      };
      const { violations } = await axe.run(only.length > 0 ? { runOnly: only } : {});
      return violations.map(({ id, impact, nodes }) => ({
        impact,
        text: `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
      }));
    }, rules);
  }
}

/** Fills the page that signs in. */
export async function signInWithKey(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Use an API key' }).click();
  await page.getByRole('textbox', { name: 'API key' }).fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

export async function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}
