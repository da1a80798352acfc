import type { AgentProfile } from '@citewell/contracts/schemas';
import { pageHeaders } from '../../http/html.js';

/** A page and its headers. */
interface Page {
  html: string;
  headers: Record<string, string>;
}

/** The page loads the script of the widget and talks to this service, and nothing else. */
const CHAT_HEADERS = pageHeaders(["script-src 'self'", "connect-src 'self'"]);
const TEXT_HEADERS = pageHeaders(["style-src 'unsafe-inline'"]);

/** The page of an agent: the widget alone. */
export function chatPage({ id, name, description }: AgentProfile, key: string): Page {
  const attributes = { mode: 'page', agent: id, key, title: name, greeting: description };
  const data = Object.entries(attributes).map(
    ([attribute, value]) => ` data-${attribute}="${escape(value)}"`,
  );
  return {
    html: `<!doctype html>
<html>
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content" />
    <meta name="robots" content="noindex" />
    <meta name="color-scheme" content="light dark" />
    <title>${escape(name)}</title>
  </head>
  <body>
    <noscript>This page needs JavaScript.</noscript>
    <script src="../widget.js"${data.join('')} async></script>
  </body>
</html>
`,
    headers: CHAT_HEADERS,
  };
}

/** The page for a link whose key does not exist, was revoked, or belongs to a private agent. */
export function missingChatPage(): Page {
  return {
    html: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <meta name="color-scheme" content="light dark" />
    <title>This chat is not available</title>
    <style>
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto; padding: 0 24px; }
      h1 { font-size: 20px; }
    </style>
  </head>
  <body>
    <h1>This chat is not available</h1>
    <p>The link is incomplete, or the chat was closed. Ask whoever sent you the link for a new one.</p>
  </body>
</html>
`,
    headers: TEXT_HEADERS,
  };
}

/** Text as the content of an element, or as a quoted attribute. */
function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
