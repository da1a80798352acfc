import type { ModelConnections, ModelKind, SettingsPoll } from '@citewell/infrastructure';
import { ChosenModel } from './chosen-model.js';

/** A model of the installation that was chosen while the service runs. Every process follows the setting. */
export abstract class FollowedModel<Model> extends ChosenModel<Model> {
  constructor(
    kind: ModelKind,
    connections: ModelConnections,
    private readonly poll: Pick<SettingsPoll, 'follow'>,
  ) {
    super(kind, connections);
  }

  /** Called by Nest before requests are answered. */
  async onModuleInit(): Promise<void> {
    await this.poll.follow(this.kind, async (setting) => {
      if (setting) await this.receive(setting);
      else this.clear();
    });
  }
}
