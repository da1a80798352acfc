import type { HtmlElement, HtmlTree } from './html-tree.js';
import { isMain } from './measure-page.js';
import type { PageHead } from './page-head.js';

/**
 * Why a page may need its scripts to show text:
 * - `empty-app-root`: the root element of the application, or the one marked as main content, is empty
 * - `empty-part`: the same, beside more text than a shell has
 * - `loading-screen`: the text is that of a loading screen, or asks for JavaScript
 * - `no-text`: scripts but no text
 * - `short-text`: scripts, and little text outside of menus
 */
export type RenderingReason = 'empty-app-root' | 'empty-part' | 'loading-screen' | 'no-text' | 'short-text';

export interface RenderingNeed {
  readonly reason: RenderingReason | null;
  /** Whether the page has no text of its own: it must not be indexed as it is. */
  readonly isShell: boolean;
}

/** A page with more letters outside of menus is not a shell. */
const MAX_SHELL_LETTERS = 200;
/** Ids that common frameworks and their templates use. */
const APP_ROOT =
  /^(?:app|root|main|__next|__nuxt|__gatsby|___gatsby|__docusaurus|svelte|application|react-root|mount|ember\d*|q-app|flutter|container|content|page)$|(?:^|-)(?:app|root)$/i;
const ASKS_FOR_SCRIPTS = /javascript|ecmascript|enable js|js-?enabled/i;
// At most 402 characters: `textOutsideMenus` returns text of at most 200 letters, with one space between them.
const ENABLES_SCRIPTS =
  /(?:enable|activate|turn on|requires?|needs?|activer|activez|aktivier\w*|activ[ae]r?|habilit\w*|włącz|включите)\b.{0,40}java ?script|java ?script.{0,60}(?:enabled?|disabled|required|aktivier\w*|deaktiviert|désactivé|desactivado|отключ\w*)|请.{0,8}javascript|javascript.{0,20}有効/i;
/** A sentence of a loading screen, in the languages of most sites: such words, the name of a site, and no number. */
const LOADING =
  /^[\s.]*(?:please wait|just a moment|one moment(?: please)?|hold on|initiali[sz]ing|checking (?:your|the) (?:browser|connection)|verifying you are human|(?:now |app(?:lication)? (?:is )?|page (?:is )?|content (?:is )?)?loading\b|bitte warten|wird geladen|seite wird geladen|laden|lädt|einen moment|chargement|veuillez patienter|cargando|espere|carregando|aguarde|caricamento|attendere|ładowanie|proszę czekać|загрузка|подождите|読み込み中|ロード中|加载中|正在加载|載入中|로딩|جار التحميل|yükleniyor)\D{0,40}$/i;
/** Parts around the content. */
const CHROME = /^(?:aside|footer|header|nav)$/;
const CHROME_ROLE = /^(?:banner|complementary|contentinfo|navigation|search)$/;

/** @param tree a measured tree whose boilerplate has not been marked yet */
export function renderingNeed({ body }: HtmlTree, head: PageHead): RenderingNeed {
  const text = textOutsideMenus(body);
  if (text && (isLoadingScreen(text) || ENABLES_SCRIPTS.test(text)))
    return { reason: 'loading-screen', isShell: true };
  if (head.scripts.length === 0) return { reason: null, isShell: false };
  if (body.letters === 0) return { reason: 'no-text', isShell: true };
  const isShell = text === '';
  if (hasEmptyRoot(body)) return { reason: text === null ? 'empty-part' : 'empty-app-root', isShell };
  if (text === null) return { reason: null, isShell };
  return { reason: 'short-text', isShell: isShell && ASKS_FOR_SCRIPTS.test(head.noscript) };
}

function isLoadingScreen(text: string): boolean {
  const sentences = text.split(/[!?…]|\.\s/).filter((sentence) => /[^\s.]/.test(sentence));
  return sentences.length > 0 && sentences.every((sentence) => LOADING.test(sentence));
}

/** The text of the page without its menus, headers, footers and links; null if it is longer than that of a shell. */
export function textOutsideMenus(body: HtmlElement): string | null {
  const parts: string[] = [];
  let letters = 0;
  const read = (element: HtmlElement): void => {
    for (const child of element.children) {
      if (letters > MAX_SHELL_LETTERS) return;
      if (typeof child === 'string') {
        parts.push(child);
        letters += child.replace(/\s+/g, '').length;
      } else if (!child.isSkipped && child.name !== 'a' && !isChrome(child)) read(child);
    }
  };
  read(body);
  return letters > MAX_SHELL_LETTERS ? null : parts.join(' ').replace(/\s+/g, ' ').trim();
}

function isChrome(element: HtmlElement): boolean {
  return (
    (CHROME.test(element.name) && !element.holdsMain) || CHROME_ROLE.test(element.attribute('role') ?? '')
  );
}

function hasEmptyRoot(element: HtmlElement, depth = 0): boolean {
  return element.children.some((child) => {
    if (typeof child === 'string' || child.isSkipped) return false;
    if (isAppRoot(child) && (child.letters === 0 || isLoadingScreen(textOutsideMenus(child) ?? '')))
      return true;
    return child.letters > 0 && depth < 2 && hasEmptyRoot(child, depth + 1);
  });
}

function isAppRoot(element: HtmlElement): boolean {
  // An element name with a hyphen is a custom element, such as `<app-root>`.
  return element.name.includes('-') || isMain(element) || APP_ROOT.test(element.attribute('id') ?? '');
}
