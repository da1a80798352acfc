import type { Texts } from '../messages.js';
import { iconButton, make } from './dom.js';

const MAX_QUESTION_LENGTH = 8_192;

/** The field for a question. Enter sends, Shift and Enter begin a new line. */
export class Composer {
  readonly element: HTMLFormElement;
  private readonly field: HTMLTextAreaElement;
  private readonly send: HTMLButtonElement;
  private readonly stop: HTMLButtonElement;
  private isBusy = false;

  constructor(messages: Texts, on: { send: (question: string) => void; stop: () => void }) {
    this.field = make('textarea', {
      rows: 1,
      maxLength: MAX_QUESTION_LENGTH,
      placeholder: messages.placeholder,
      ariaLabel: messages.placeholder,
      dir: 'auto',
    });
    this.send = iconButton('send', messages.send, { type: 'submit', className: 'send' });
    this.stop = iconButton('stop', messages.stop, { className: 'send', hidden: true, onclick: on.stop });
    this.element = make('form', {}, this.field, this.send, this.stop);
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      const question = this.field.value.trim();
      if (question === '' || this.isBusy) return;
      this.field.value = '';
      this.adjust();
      on.send(question);
    });
    this.field.addEventListener('input', () => this.adjust());
    this.field.addEventListener('keydown', (event) => {
      // Enter also ends the composition of Japanese or Chinese characters.
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.element.requestSubmit();
    });
    this.adjust();
  }

  focus(): void {
    this.field.focus();
  }

  /** While an answer is in progress, the button stops it. The next question can already be written. */
  setBusy(isBusy: boolean): void {
    const hadFocus = this.element.contains(this.activeElement) && this.activeElement !== this.field;
    this.isBusy = isBusy;
    this.send.hidden = isBusy;
    this.stop.hidden = !isBusy;
    if (hadFocus) this.field.focus();
  }

  private get activeElement(): Element | null {
    const root = this.element.getRootNode();
    return root instanceof ShadowRoot ? root.activeElement : null;
  }

  /** Lets the field grow with its text; the style sheet limits it. */
  private adjust(): void {
    this.send.disabled = this.field.value.trim() === '';
    this.field.style.height = 'auto';
    // Zero while the panel is hidden.
    if (this.field.scrollHeight > 0) this.field.style.height = `${this.field.scrollHeight}px`;
  }
}
