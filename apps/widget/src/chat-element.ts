import { AccessDeniedError, type AgentProfile, agentsOf, NotFoundError } from '@citewell/sdk';
import { ConversationStore } from './chat/conversation-store.js';
import { textsOf } from './messages.js';
import styles from './styles.css';
import { iconButton, setAccent } from './view/dom.js';
import { Panel } from './view/panel.js';
import { type Options, type Surroundings, readOptions } from './options.js';

/** The element `<citewell-chat>`: a button that opens a chat or, with `data-mode="page"`, the chat alone. */
export function chatElement(surroundings: Surroundings): CustomElementConstructor {
  return class ChatElement extends HTMLElement {
    connectedCallback(): void {
      // The element may be moved on its page.
      if (this.shadowRoot) return;
      const options = readOptions(this.dataset, surroundings);
      Object.assign(this.dataset, { theme: options.theme, position: options.position, mode: options.mode });
      this.lang = options.language;
      const root = this.attachShadow({ mode: 'open' });
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(styles);
      root.adoptedStyleSheets = [sheet];
      if (options.accent) setAccent(this, options.accent);
      fillChat(root, options);
    }
  };
}

function fillChat(root: ShadowRoot, options: Options): void {
  const { server, agentId, key, mode, language, title, greeting } = options;
  const messages = textsOf(language);
  const agents = agentsOf({ baseUrl: `${server}api`, apiKey: key });
  const store = new ConversationStore(storageOf(), agentId);
  const launcher = iconButton('chat', messages.openChat, { className: 'launcher', ariaExpanded: 'false' });
  const close = (): void => {
    panel.element.hidden = true;
    launcher.ariaExpanded = 'false';
    launcher.hidden = false;
    launcher.focus();
  };
  const panel = new Panel(
    messages,
    {
      ask: (query, request) => agents.streamResumableAsVisitor(agentId, query, request),
      follow: (id, token, request) => agents.followAsVisitor(agentId, id, token, request),
      stop: (id, token) => agents.stopAsVisitor(agentId, id, token),
    },
    store,
    mode === 'page' ? null : close,
  );
  const setTexts = (profile?: AgentProfile): void =>
    panel.setTexts(
      title ?? (profile?.name || messages.title),
      greeting ?? (profile?.description || messages.greeting),
    );
  setTexts();
  if (mode === 'page') {
    root.append(panel.element);
    panel.focus();
    return;
  }
  panel.element.role = 'dialog';
  panel.element.hidden = true;
  panel.element.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
  });
  launcher.addEventListener('click', () => {
    panel.element.hidden = false;
    launcher.hidden = true;
    launcher.ariaExpanded = 'true';
    panel.focus();
  });
  const show = (): void => root.append(launcher, panel.element);
  agents.profile(agentId).then(
    (profile) => {
      setTexts(profile);
      show();
    },
    // After another failure, such as a lost connection, the default texts stay.
    (error: unknown) => {
      if (!isRefused(error)) show();
    },
  );
}

/** Whether the page may not use the chat. Tells the author of the page why; visitors see nothing. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof AccessDeniedError || error instanceof NotFoundError)) return false;
  // oxlint-disable-next-line no-console -- for the author of the page
  console.warn(`The Citewell widget is not shown. ${error.message}`);
  return true;
}

/** Browsers forbid storage in some modes. */
function storageOf(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
