import { Cookies } from '@citewell/web';

/** Redirects of a site that are followed in vain for a cookie. */
const MAX_VAIN_DETOURS = 3;

/**
 * What a crawl, or the fetch of a single page, remembers of its visit. In memory: in another process, the visit begins
 * anew.
 */
export class SiteSession {
  readonly cookies = new Cookies();
  private vainDetours = 0;

  /** Whether a redirect is followed because it may lead back to the page, with a cookie. */
  get followsDetours(): boolean {
    return this.vainDetours < MAX_VAIN_DETOURS;
  }

  countVainDetour(): void {
    this.vainDetours += 1;
  }
}
