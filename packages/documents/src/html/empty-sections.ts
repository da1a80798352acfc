import type { HtmlElement } from './html-tree.js';
import { exclude } from './measure-page.js';

interface OpenSection {
  readonly heading: HtmlElement;
  readonly level: number;
  /** Whether navigation below the heading has been left out. */
  isCut: boolean;
}

/** Leaves out headings below which there is nothing but navigation, such as "Related articles". */
export function leaveOutEmptySections(body: HtmlElement): void {
  new EmptySections().leaveOut(body);
}

class EmptySections {
  private open: OpenSection[] = [];
  private hasText = false;

  leaveOut(body: HtmlElement): void {
    this.read(body);
    this.end(1);
  }

  private read(element: HtmlElement): void {
    for (const child of element.children) {
      if (typeof child === 'string') {
        if (child.trim() !== '') this.addText();
      } else if (child.isSkipped) {
        if (child.leftOut === 'navigation') for (const section of this.open) section.isCut = true;
      } else if (child.name === 'img') this.addText();
      else if (child.letters > 0) {
        const level = /^h([1-6])$/.exec(child.name)?.[1];
        if (level === undefined) this.read(child);
        else this.begin(child, Number(level));
      }
    }
  }

  private addText(): void {
    this.open = [];
    this.hasText = true;
  }

  private begin(heading: HtmlElement, level: number): void {
    this.end(level);
    // The first heading is the title of the page.
    if (this.hasText) this.open.push({ heading, level, isCut: false });
    else this.hasText = true;
  }

  private end(level: number): void {
    while ((this.open.at(-1)?.level ?? 0) >= level) {
      const section = this.open.pop();
      if (section?.isCut !== true) continue;
      exclude(section.heading);
      section.heading.leftOut = 'navigation';
    }
  }
}
