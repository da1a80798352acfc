import type { ModelSetting } from '@citewell/database';
import type {
  ModelConnection,
  ModelConnections,
  ModelKind,
  SettingsPoll,
  StoredConnection,
} from '@citewell/infrastructure';
import { ModelError, type OnModelCall, sentenceForOperator } from '@citewell/models';

/** A stored choice, as this process uses it. */
export interface OpenChoice<Model> extends StoredConnection {
  opened: Model;
}

/** A model that was chosen while the service runs. It is opened again when the choice changes. */
export abstract class ChosenModel<Model> {
  /** Null if nothing was chosen. */
  current: OpenChoice<Model> | null = null;
  private row: string | null = null;
  private lastFailure: string | null = null;

  constructor(
    private readonly kind: ModelKind,
    readonly connections: ModelConnections,
  ) {}

  /**
   * Opens a model without storing the choice.
   *
   * @throws ModelError (`permanent`) if the connection is malformed
   */
  abstract open(choice: ModelConnection, onCall?: OnModelCall): Model;

  /** A chosen model that fails. */
  protected abstract unusable(choice: ModelConnection, failure: ModelError): Model;

  /** Frees what a replaced model holds. */
  protected close(_opened: Model): void {}

  /** Why the chosen model cannot be used, or why the last request to it failed. Null if it works. */
  get problem(): string | null {
    return this.current?.problem ?? this.lastFailure;
  }

  /** @returns the choice of this setting, even if another call receives another one meanwhile */
  async receive(setting: ModelSetting): Promise<OpenChoice<Model>> {
    const row = JSON.stringify([setting.name, setting.baseUrl, setting.sealedKey]);
    // The key may be readable now.
    if (row === this.row && this.current && !this.current.problem) return this.current;
    const current = this.use(await this.connections.read(this.kind, setting));
    this.replace(row, current);
    return current;
  }

  /** Follows the setting of the installation, as every process does. Resolves when it has been read. */
  protected follow(poll: Pick<SettingsPoll, 'follow'>): Promise<void> {
    return poll.follow(this.kind, async (setting) => {
      if (setting) await this.receive(setting);
      else this.replace(null, null);
    });
  }

  private replace(row: string | null, current: OpenChoice<Model> | null): void {
    const previous = this.current;
    this.row = row;
    this.current = current;
    this.lastFailure = null;
    if (previous) this.close(previous.opened);
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
