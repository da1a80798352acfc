import { chatElement } from './chat-element.js';

const NAME = 'citewell-chat';
// Null in a module, and null after the script has run.
const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript : null;
const server = new URL('.', script?.src || location.href).href;
const languages = [document.documentElement.lang, ...navigator.languages].filter((tag) => tag !== '');

if (!customElements.get(NAME)) customElements.define(NAME, chatElement({ server, languages }));

// A script with an agent adds the element. Without one, the page contains the element.
if (script?.dataset['agent']) {
  const element = document.createElement(NAME);
  Object.assign(element.dataset, script.dataset);
  if (document.body) document.body.append(element);
  else document.addEventListener('DOMContentLoaded', () => document.body.append(element));
}
