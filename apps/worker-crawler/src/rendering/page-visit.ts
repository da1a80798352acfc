import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, CDPSession, Page, Route } from 'playwright-core';
import type { PageToRender, RenderFailure, Rendering, RenderLimits } from './render.protocol.js';

/** A script that returns whether the page has any text, except that of a loading screen. */
const HAS_TEXT_SCRIPT = `(() => {
  const scopes = [document.body ?? document.documentElement];
  for (const scope of scopes) {
    const nodes = document.createTreeWalker(scope, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
      const node = nodes.currentNode;
      if (node.shadowRoot) scopes.push(node.shadowRoot);
      if (node.nodeType !== Node.TEXT_NODE || node.data.trim() === '') continue;
      if (/^[\\p{L}\\s]{0,40}(?:\\.{2,}|…)$/u.test(node.data.trim())) continue;
      if (!node.parentElement?.matches('script, style, template, noscript')) return true;
    }
  }
  return false;
})()`;

/** Resources that do not change the text. */
const BLOCKED_TYPES = new Set(['image', 'media', 'font', 'ping', 'cspviolationreport']);
/** Some pages set a cookie and reload themselves. */
const MAX_RELOADS = 2;
const TEXT_CHECK_MS = 100;

/** One page in a context of its own, which isolates its cookies and storage. */
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

  /** Always resolves, within the time limit. */
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
    // The route also covers popups: their first request comes before they can be closed.
    await context.route('**/*', (route) => this.handle(page, route));
    const page = await context.newPage();
    context.on('page', (popup) => void popup.close().catch(() => undefined));
    page.once('crash', () => this.fail('crashed'));
    const session = await context.newCDPSession(page);
    session.on('Network.dataReceived', ({ dataLength }) => {
      this.bytes += dataLength;
      if (this.bytes > limits.maxBytes) this.fail('too-large');
    });
    await session.send('Network.enable');
    // A page that does not load in time is used as it is.
    await page.goto(this.target.url, { waitUntil: 'load', timeout: limits.loadMs }).catch(() => undefined);
    await this.waitUntilIdle(page, session);
    await this.read(session);
  }

  private async handle(page: Page, route: Route): Promise<void> {
    const request = route.request();
    const isNavigation = request.isNavigationRequest();
    try {
      if (isNavigation && request.frame() === page.mainFrame()) await this.navigate(request.url(), route);
      // Navigations of frames and popups lead to other pages. This answer leaves them empty, without the error page that
      // each would get, and that takes 180 kB.
      else if (isNavigation) await route.fulfill({ status: 204 });
      else if (BLOCKED_TYPES.has(request.resourceType())) await route.abort('blockedbyclient');
      else await route.continue();
    } catch {
      // The page has been closed or has cancelled the request.
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
      // With this reason the browser does not replace the page by an error page.
      await route.abort('aborted');
    }
  }

  /** Waits until the page sends no more requests and has some text, within the limit for that. */
  private async waitUntilIdle(page: Page, session: CDPSession): Promise<void> {
    const { idleMs } = this.limits;
    const deadline = performance.now() + idleMs;
    await page.waitForLoadState('networkidle', { timeout: idleMs }).catch(() => undefined);
    while (performance.now() < deadline && (await this.evaluate(session, HAS_TEXT_SCRIPT)) !== true)
      await sleep(TEXT_CHECK_MS);
  }

  private async read(session: CDPSession): Promise<void> {
    const snapshot = await this.evaluate(session, snapshotScript(this.limits.maxCharacters));
    if (isSnapshot(snapshot) && /^https?:/.test(snapshot.url))
      this.outcome.resolve({ kind: 'page', url: snapshot.url, html: snapshot.html });
    else this.fail(snapshot === null ? 'too-large' : 'crashed');
  }

  /** Evaluates a script in an isolated world. @returns undefined while the page is being reloaded */
  private async evaluate(session: CDPSession, expression: string): Promise<unknown> {
    try {
      this.worldId ??= await createWorld(session);
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

async function createWorld(session: CDPSession): Promise<number> {
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

/** The result of {@link snapshotScript}. */
interface Snapshot {
  readonly url: string;
  readonly html: string;
}

/**
 * A script that returns the rendered page as a `Snapshot`, or null for a page of more than `maxCharacters`.
 *
 * Run it in an isolated world, where the scripts of the page cannot replace `document`. The snapshot includes
 * open shadow roots and structured data, and excludes other scripts, styles, templates and `noscript`. The
 * script changes the page, so it must be the last one. It is a string because it runs in the browser, where
 * this module does not exist.
 */
function snapshotScript(maxCharacters: number): string {
  return `(() => {
    const roots = [];
    const collect = (scope) => {
      for (const element of scope.querySelectorAll('*')) {
        if (element.shadowRoot === null) continue;
        roots.push(element.shadowRoot);
        collect(element.shadowRoot);
      }
    };
    collect(document);
    const excluded = 'script:not([type="application/ld+json" i]), style, template, noscript';
    for (const scope of [document, ...roots]) for (const element of scope.querySelectorAll(excluded)) element.remove();
    const inner = document.documentElement.getHTML({ shadowRoots: roots });
    if (inner.length > ${maxCharacters}) return null;
    // The remaining templates are those of shadow roots.
    const flat = inner.replace(/<template shadowrootmode=[^>]*>/g, '<div>').replaceAll('</template>', '</div>');
    const tag = document.documentElement.cloneNode(false).outerHTML.replace(/<\\/html>$/i, '');
    return { url: location.href, html: '<!doctype html>' + tag + flat + '</html>' };
  })()`;
}
