import type { HtmlElement } from './html-tree.js';
import { leaveOut } from './measure-page.js';

/** Leaves out headings below which there is nothing but navigation, such as "Related articles". */
export function leaveOutEmptySections(body: HtmlElement): void {
  /** The headings since the last text, and those of them below which navigation has been left out. */
  let open: HtmlElement[] = [];
  const cut = new Set<HtmlElement>();
  let hasText = false;
  const addText = (): void => {
    open = [];
    hasText = true;
  };
  const end = (level: string): void => {
    for (const heading of open) if (heading.name >= level && cut.has(heading)) leaveOut(heading);
    open = open.filter(({ name }) => name < level);
  };
  const read = (element: HtmlElement): void => {
    for (const child of element.children) {
      if (typeof child === 'string') {
        if (child.trim() !== '') addText();
      } else if (child.isSkipped) {
        if (child.leftOut === 'navigation') for (const heading of open) cut.add(heading);
      } else if (child.name === 'img') addText();
      else if (child.letters > 0) {
        if (!/^h[1-6]$/.test(child.name)) read(child);
        else {
          end(child.name);
          // The first heading is the title of the page.
          if (hasText) open.push(child);
          hasText = true;
        }
      }
    }
  };
  read(body);
  end('h1');
}
