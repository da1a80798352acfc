import { Entity, PrimaryColumn } from 'typeorm';
import { InstantColumn } from '../connection/columns.js';

/** When any crawler may begin the next request to a web server. */
@Entity('host_paces')
export class HostPaceEntity {
  /** Name and port, as `URL.host`. */
  @PrimaryColumn('text') host!: string;
  @InstantColumn() nextStart!: Date;
}
