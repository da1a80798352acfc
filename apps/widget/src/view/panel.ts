import { Conversation, type VisitedAgent } from '../chat/conversation.js';
import type { ConversationStore } from '../chat/conversation-store.js';
import type { Turn } from '../chat/turn.js';
import type { Texts } from '../messages.js';
import { iconButton, make } from './dom.js';
import { TurnView } from './turn-view.js';

const MAX_QUESTION_LENGTH = 8_192;

/** How near to the end, in pixels, the log counts as read to its end, and follows new text. */
const FOLLOW_DISTANCE = 48;

/** The chat: title, messages and the field for a question. */
export class Panel {
  readonly element: HTMLElement;
  private readonly title = make('h2', { dir: 'auto' });
  private readonly greeting = make('p', { className: 'greeting', dir: 'auto' });
  private readonly log = make('div', { className: 'log', role: 'log', ariaLive: 'polite', tabIndex: 0 });
  private readonly composer: Composer;
  private readonly startOver: HTMLButtonElement;
  private readonly conversation: Conversation;
  private views: TurnView[] = [];

  /** @param onClose null: the panel cannot be closed */
  constructor(
    private readonly messages: Texts,
    agent: VisitedAgent,
    store: ConversationStore,
    onClose: (() => void) | null,
  ) {
    this.conversation = new Conversation(agent, store, (turn) => this.show(turn));
    this.composer = new Composer(messages, {
      send: (question) => void this.conversation.send(question),
      stop: () => this.conversation.stop(),
    });
    this.startOver = iconButton('startOver', messages.startOver, {
      className: 'quiet',
      onclick: () => this.forget(),
    });
    const close =
      onClose === null ? [] : [iconButton('close', messages.close, { className: 'quiet', onclick: onClose })];
    this.element = make(
      'section',
      { className: 'panel' },
      make('header', {}, this.title, this.startOver, ...close),
      this.log,
      this.composer.element,
    );
    this.setTexts(messages.title, messages.greeting);
    this.renderAll();
    void this.conversation.resume();
  }

  setTexts(title: string, greeting: string): void {
    this.title.textContent = title;
    this.element.ariaLabel = title;
    this.greeting.textContent = greeting;
  }

  focus(): void {
    this.composer.focus();
    this.scrollToEnd();
  }

  private forget(): void {
    this.conversation.startOver();
    this.renderAll();
    this.composer.focus();
  }

  private renderAll(): void {
    this.views = this.conversation.turns.map((turn) => this.viewOf(turn));
    this.log.replaceChildren(this.greeting, ...this.views.map(({ element }) => element));
    this.reflectState();
  }

  private viewOf(turn: Turn): TurnView {
    return new TurnView(turn, this.messages, (failed) => {
      // The button that was pressed disappears.
      this.composer.focus();
      void this.conversation.retry(failed);
    });
  }

  private show(turn: Turn): void {
    // A stopped answer may end after its conversation was forgotten.
    if (!this.conversation.turns.includes(turn)) return;
    const isAtEnd = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < FOLLOW_DISTANCE;
    let view = this.views.find((candidate) => candidate.turn === turn);
    if (!view) {
      view = this.viewOf(turn);
      this.views.push(view);
      this.log.append(view.element);
    }
    this.reflectState();
    view.update(() => {
      if (isAtEnd || turn.state === 'searching') this.scrollToEnd();
    });
  }

  private reflectState(): void {
    const { isBusy, turns } = this.conversation;
    this.composer.setBusy(isBusy);
    // Screen readers read an answer when it is complete.
    this.log.ariaBusy = String(isBusy);
    this.startOver.hidden = turns.length === 0;
  }

  private scrollToEnd(): void {
    this.log.scrollTop = this.log.scrollHeight;
  }
}

/** The field for a question. Enter sends, Shift and Enter begin a new line. */
class Composer {
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
