import type { HtmlElement } from './html-tree.js';

/**
 * A reason, given by the markup of an element, to assume that the element is boilerplate. `markBoilerplate`
 * ignores a hint that covers most of the page.
 */
export type Hint =
  | 'navigation'
  | 'page-header'
  | 'footer'
  | 'aside'
  | 'banner'
  | 'sharing'
  | 'related'
  | 'comments'
  | 'advertisement'
  | 'page-tools'
  | 'line-numbers'
  | 'screen-reader'
  | 'generated'
  | 'link-list';

const BY_TAG: Readonly<Record<string, Hint>> = {
  aside: 'aside',
  footer: 'footer',
  header: 'page-header',
  nav: 'navigation',
  search: 'navigation',
};

/** WAI-ARIA landmark and widget roles. */
const BY_ROLE: Readonly<Record<string, Hint>> = {
  alertdialog: 'banner',
  banner: 'page-header',
  complementary: 'aside',
  contentinfo: 'footer',
  dialog: 'banner',
  'doc-pagelist': 'navigation',
  menu: 'navigation',
  menubar: 'navigation',
  navigation: 'navigation',
  search: 'navigation',
  toolbar: 'page-tools',
  tooltip: 'screen-reader',
};

/** Class and id are truncated to this length; longer ones are generated. */
const MAX_NAME_LENGTH = 300;
/** Source of a pattern for whole words of a class or id, except after `has-`, `no-` etc.: `has-sidebar` is not a sidebar. */
const word = (pattern: string): string =>
  `(?:^|[\\s_-])(?<!(?:^|[\\s_-])(?:has|with|no|without|hide|is|show)-)(?:${pattern})(?![a-z])`;

// At most 300 characters: the text is truncated to `MAX_NAME_LENGTH`.
const BY_NAME: readonly (readonly [Hint, RegExp])[] = [
  [
    'navigation',
    new RegExp(
      word(
        'breadcrumbs?\\w*|(?:site|main|top|global|primary|secondary|local|page|sub|side|post|posts|entry|header|footer)?-?_?(?:nav|navbar|navigation|menu)|nav(?:box|list|links?)|sidenav|toc|tableofcontents|table-of-contents|on-this-page|outline-toc|pagination|pager|paginator|page-numbers|prev-next|next-prev|skip-?(?:link|nav|to)\\w*',
      ),
    ),
  ],
  ['footer', new RegExp(word('(?:site|page|global|main)?-?_?footer'))],
  ['aside', new RegExp(word('(?:left|right)?-?_?side-?bar|rail|right-col(?:umn)?'))],
  [
    'banner',
    new RegExp(
      word(
        'cookies?-?(?:banner|bar|consent|notice|popup|law|message|modal|overlay|warning|policy)?|gdpr|consent|onetrust|newsletter\\w*|subscri(?:be|ption)\\w*|sign-?up|log-?in|pop-?up|modal|overlay|lightbox|paywall|announcement-bar',
      ),
    ),
  ],
  [
    'sharing',
    new RegExp(
      word(
        'shar(?:e|ing|edaddy)(?:-?(?:bar|box|buttons?|links?|tools?|icons?|this|post))?|social(?:-?(?:media|share|sharing|links?|icons?|bar|buttons?))?|add-?this|add-?to-?any|follow-?us)(?!-?(?:media-?)?(?:embed|post))(?:',
      ),
    ),
  ],
  [
    'related',
    new RegExp(
      word(
        'related\\w*|recommend\\w*|recirc\\w*|more-(?:stories|news|articles|posts|from|in|on)|read-?(?:more|next|also)|also-like|you-may\\w*|see-also-stories|popular(?:-?posts)?|trending|most-(?:read|popular|viewed|shared)|latest-(?:news|posts|stories)|recent-(?:posts|news|comments)|outbrain\\w*|taboola\\w*|teasers?',
      ),
    ),
  ],
  [
    'comments',
    new RegExp(
      word(
        'comments?(?:-?(?:area|list|section|container|wrapper|block|thread|body))?|disqus\\w*|respond|reply-form|comment-respond',
      ),
    ),
  ],
  [
    'advertisement',
    new RegExp(
      word(
        'ads?|ad-?(?:slot|container|wrapper|wrap|unit|banner|box|block|label|placeholder)|advert\\w*|adsense|adsbygoogle|dfp|google-?ad\\w*|sponsored(?:-?\\w+)?|promo(?:tion|box|s)?',
      ),
    ),
  ],
  [
    'page-tools',
    new RegExp(
      word(
        'edit-?(?:this-?)?(?:page|link|section)?|mw-editsection|tool-?bar|print-?(?:link|button|header)?|no-?print|copy-?(?:button|btn|code)|clipboard|tag-?(?:list|cloud|links|s)|tags|post-tags|catlinks|author-?(?:bio|box|info|card)|about-author|by-?line-share',
      ),
    ),
  ],
  ['line-numbers', new RegExp(word('line-?nos?|line-?numbers?|line-number-rows|gutter|blob-num'))],
  [
    'screen-reader',
    new RegExp(
      word(
        'sr-only|off-?screen|screen-?reader(?:-text)?|visible-sr|visually-?hidden|assistive-text|a11y-hidden',
      ),
    ),
  ],
  // The code of a documented function, which readers open, and the traits that all types of Rust implement.
  ['generated', new RegExp(word('pdoc-code|mkdocstrings-source|(?:blanket|synthetic)-implementations-list'))],
];
/** Hints that an id may give inside of the content. */
const RELIABLE_IDS: ReadonlySet<Hint> = new Set(['aside', 'comments', 'footer', 'generated']);
// At most 300 characters: the text is truncated to `MAX_NAME_LENGTH`.
const ANY_NAME = new RegExp(BY_NAME.map(([, { source }]) => source).join('|'));

/** Reads hints and caches them by class and id, which repeat on a page. */
export class HintReader {
  private readonly cache = new Map<string, Hint | undefined>();

  /**
   * The hint of role or tag, else of class and id. A more specific class overrides the hint of a `header`.
   *
   * @param isInContent whether the element is part of the content, where ids are anchors: the section of a function
   * `subscribe` is not a newsletter
   */
  hintOf(element: HtmlElement, isInContent: boolean): Hint | undefined {
    const structural = structuralHint(element);
    if (structural !== undefined && structural !== 'page-header') return structural;
    const className = element.attribute('class');
    const id = element.attribute('id');
    if (!isInContent) return this.hintOfNames(className, id) ?? structural;
    const hint = this.hintOfNames('', id);
    return hint !== undefined && RELIABLE_IDS.has(hint) ? hint : (this.hintOfNames(className) ?? structural);
  }

  private hintOfNames(className = '', id = ''): Hint | undefined {
    if (className === '' && id === '') return undefined;
    const names = `${className} ${id}`;
    if (this.cache.has(names)) return this.cache.get(names);
    const words = names
      .slice(0, MAX_NAME_LENGTH)
      .replace(/(?<=[a-z])(?=[A-Z])/g, '-')
      .toLowerCase();
    const hint = ANY_NAME.test(words) ? BY_NAME.find(([, pattern]) => pattern.test(words))?.[0] : undefined;
    this.cache.set(names, hint);
    return hint;
  }
}

/** The hint of role or tag, which is more reliable than that of a class or id. */
export function structuralHint(element: HtmlElement): Hint | undefined {
  return BY_ROLE[element.attribute('role') ?? ''] ?? BY_TAG[element.name];
}
