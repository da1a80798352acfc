/** What {@link snapshotScript} returns of a page that is not too large. */
export interface Snapshot {
  readonly url: string;
  readonly html: string;
}

/**
 * A script that returns the page as its reader sees it, a `Snapshot`; null for a page of more than so many characters.
 *
 * It runs in a world of its own, where the page's scripts have no hand in what `document` is. Content of open shadow
 * roots is part of the page; scripts, styles, templates and what is meant for readers without scripts are not, but for
 * structured data. It changes the page, so it comes last.
 *
 * It is a text because it runs elsewhere: nothing of this module exists there.
 */
export function snapshotScript(maxCharacters: number): string {
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
    const unread = 'script:not([type="application/ld+json" i]), style, template, noscript';
    for (const scope of [document, ...roots]) for (const element of scope.querySelectorAll(unread)) element.remove();
    const inner = document.documentElement.getHTML({ shadowRoots: roots });
    if (inner.length > ${maxCharacters}) return null;
    // No other templates are left than those that stand for shadow roots.
    const flat = inner.replace(/<template shadowrootmode=[^>]*>/g, '<div>').replaceAll('</template>', '</div>');
    const tag = document.documentElement.cloneNode(false).outerHTML.replace(/<\\/html>$/i, '');
    return { url: location.href, html: '<!doctype html>' + tag + flat + '</html>' };
  })()`;
}

/** A script that says whether there is anything to read on the page yet. */
export const HAS_TEXT_SCRIPT = `(() => {
  const scopes = [document.body ?? document.documentElement];
  for (const scope of scopes) {
    const nodes = document.createTreeWalker(scope, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
      const node = nodes.currentNode;
      if (node.shadowRoot) scopes.push(node.shadowRoot);
      if (node.nodeType !== Node.TEXT_NODE || node.data.trim() === '') continue;
      if (!node.parentElement?.matches('script, style, template, noscript')) return true;
    }
  }
  return false;
})()`;
