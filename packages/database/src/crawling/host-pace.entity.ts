import { Entity, PrimaryColumn } from 'typeorm';
import { InstantColumn } from '../connection/columns.js';

/** When the crawlers, all together, may make their next request to a web server. */
@Entity('host_paces')
export class HostPaceEntity {
  /** Name and port, as in `URL.host`. */
  @PrimaryColumn('text') host!: string;
  @InstantColumn() nextStart!: Date;
}
