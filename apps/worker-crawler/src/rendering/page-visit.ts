import type { BrowserContext, CDPSession, Page, Route } from 'playwright-core';
import { HAS_TEXT_SCRIPT, type Snapshot, snapshotScript } from './page-snapshot.js';
import type { PageToRender, RenderFailure, Rendering, RenderLimits } from './render.protocol.js';

/** What is not asked for: nobody reads it. Frames are pages of their own. */
const UNREAD_TYPES = new Set([
  'image',
  'media',
  'font',
  'texttrack',
  'ping',
  'cspviolationreport',
  'manifest',
]);
/** A page that sets a cookie and reloads itself is let to; one that goes on so is in a circle. */
const MAX_RELOADS = 2;
const LOOK_AGAIN_MS = 100;

/** One page in a context of its own: what it does there ends with it. */
export class PageVisit {
  private readonly outcome = Promise.withResolvers<Rendering>();
  private worldId: number | undefined;
  private bytes = 0;
  private navigations = 0;

  /** @param context new; the caller closes it */
  constructor(
    private readonly context: BrowserContext,
    private readonly target: PageToRender,
    private readonly limits: RenderLimits,
  ) {}

  /** Always resolves, within the limits' time. */
  async run(): Promise<Rendering> {
    const timer = setTimeout(() => this.fail('timeout'), this.limits.timeoutMs);
    this.open().catch(() => this.fail('crashed'));
    try {
      return await this.outcome.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  private async open(): Promise<void> {
    const { context, limits } = this;
    // For what the page opens too: that is asked for before it can be closed.
    await context.route('**/*', (route) => this.answer(page, route));
    const page = await context.newPage();
    context.on('page', (popup) => void popup.close().catch(() => undefined));
    page.once('crash', () => this.fail('crashed'));
    const session = await context.newCDPSession(page);
    session.on('Network.dataReceived', ({ dataLength }) => {
      this.bytes += dataLength;
      if (this.bytes > limits.maxBytes) this.fail('too-large');
    });
    await session.send('Network.enable');
    // A page that is not loaded in time is taken as far as it has come.
    await page.goto(this.target.url, { waitUntil: 'load', timeout: limits.loadMs }).catch(() => undefined);
    await this.settle(page, session);
    await this.read(session);
  }

  private async answer(page: Page, route: Route): Promise<void> {
    const request = route.request();
    try {
      if (request.isNavigationRequest()) {
        if (request.frame() !== page.mainFrame()) await route.abort('blockedbyclient');
        else await this.navigate(request.url(), route);
      } else if (UNREAD_TYPES.has(request.resourceType())) await route.abort('blockedbyclient');
      else await route.continue();
    } catch {
      // The page is gone, or has given the request up.
    }
  }

  private async navigate(url: string, route: Route): Promise<void> {
    this.navigations += 1;
    const { target } = this;
    if (withoutHash(url) !== withoutHash(target.url)) {
      this.outcome.resolve({ kind: 'redirect', url });
      await route.abort('aborted');
    } else if (this.navigations === 1) {
      await route.fulfill({ status: 200, headers: { ...target.headers }, body: Buffer.from(target.body) });
    } else if (this.navigations <= 1 + MAX_RELOADS) {
      this.worldId = undefined;
      await route.continue();
    } else {
      // With this reason no page of the browser's own, about the failure, takes its place.
      await route.abort('aborted');
    }
  }

  /** Until nothing is asked for any more and there is something to read, or the time for that is over. */
  private async settle(page: Page, session: CDPSession): Promise<void> {
    const deadline = performance.now() + this.limits.settleMs;
    await page.waitForLoadState('networkidle', { timeout: this.limits.settleMs }).catch(() => undefined);
    while (performance.now() < deadline && (await this.evaluate(session, HAS_TEXT_SCRIPT)) !== true)
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }

  private async read(session: CDPSession): Promise<void> {
    const snapshot = await this.evaluate(session, snapshotScript(this.limits.maxCharacters));
    if (isSnapshot(snapshot) && /^https?:/.test(snapshot.url))
      this.outcome.resolve({ kind: 'page', url: snapshot.url, html: snapshot.html });
    else this.fail(snapshot === null ? 'too-large' : 'crashed');
  }

  /** In a world of its own. @returns undefined while the page is being replaced by another one */
  private async evaluate(session: CDPSession, expression: string): Promise<unknown> {
    try {
      this.worldId ??= await newWorld(session);
      const { result } = await session.send('Runtime.evaluate', {
        expression,
        contextId: this.worldId,
        returnByValue: true,
      });
      return result.value;
    } catch {
      this.worldId = undefined;
      return undefined;
    }
  }

  private fail(reason: RenderFailure): void {
    this.outcome.resolve({ kind: 'failed', reason });
  }
}

async function newWorld(session: CDPSession): Promise<number> {
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'reader',
  });
  return executionContextId;
}

function isSnapshot(value: unknown): value is Snapshot {
  return typeof value === 'object' && value !== null && 'html' in value;
}

function withoutHash(url: string): string {
  return url.split('#', 1)[0] ?? url;
}
