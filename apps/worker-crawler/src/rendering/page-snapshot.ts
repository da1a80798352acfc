/** The result of {@link snapshotScript}. */
export interface Snapshot {
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

/** A script that returns whether the page has any text, except that of a loading screen. */
export const HAS_TEXT_SCRIPT = `(() => {
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
