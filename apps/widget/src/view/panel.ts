import { Conversation, type VisitedAgent } from '../chat/conversation.js';
import type { ConversationStore } from '../chat/conversation-store.js';
import type { Turn } from '../chat/turn.js';
import type { Texts } from '../messages.js';
import { Composer } from './composer.js';
import { iconButton, make } from './dom.js';
import { TurnView } from './turn-view.js';

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
