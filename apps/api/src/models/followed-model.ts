import type { ModelSetting } from '@citewell/database';
import type {
  ModelConnection,
  ModelConnections,
  ModelKind,
  StoredConnection,
} from '@citewell/infrastructure';
import type { SettingsPoll } from '@citewell/infrastructure';
import { ModelError, type OnModelCall, sentenceForOperator } from '@citewell/models';

/** A stored choice, as this process uses it. */
export interface OpenChoice<Model> extends StoredConnection {
  opened: Model;
}

/** A model that was chosen while the service runs. Every process follows the setting. */
export abstract class FollowedModel<Model> {
  /** Null if nothing was chosen. */
  current: OpenChoice<Model> | null = null;
  private row: string | null = null;
  private lastFailure: string | null = null;

  constructor(
    private readonly kind: ModelKind,
    protected readonly connections: ModelConnections,
    private readonly poll: Pick<SettingsPoll, 'follow'>,
  ) {}

  /**
   * Opens a model without storing the choice.
   *
   * @throws ModelError (`permanent`) if the connection is malformed
   */
  abstract open(choice: ModelConnection, onCall?: OnModelCall): Model;

  /** A chosen model that fails. */
  protected abstract unusable(choice: ModelConnection, failure: ModelError): Model;

  /** Why the chosen model cannot be used, or why the last request to it failed. Null if it works. */
  get problem(): string | null {
    return this.current?.problem ?? this.lastFailure;
  }

  /** Called by Nest before requests are answered. */
  async onModuleInit(): Promise<void> {
    await this.poll.follow(this.kind, (setting) => this.receive(setting));
  }

  private async receive(setting: ModelSetting | null): Promise<void> {
    const row = setting && JSON.stringify([setting.name, setting.baseUrl, setting.sealedKey]);
    // The key may be readable now.
    if (row === this.row && !this.current?.problem) return;
    const current = setting && this.use(await this.connections.read(this.kind, setting));
    this.row = row;
    this.current = current;
    this.lastFailure = null;
  }

  private use(choice: StoredConnection): OpenChoice<Model> {
    const fail = (problem: string): OpenChoice<Model> => ({
      ...choice,
      problem,
      opened: this.unusable(choice, new ModelError('permanent', problem)),
    });
    if (choice.problem !== null) return fail(choice.problem);
    try {
      const opened: Model = this.open(choice, ({ outcome, failure }) => {
        if (outcome === 'aborted' || opened !== this.current?.opened) return;
        this.lastFailure = failure ? sentenceForOperator(failure) : null;
      });
      return { ...choice, opened };
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      return fail(error.message);
    }
  }
}
