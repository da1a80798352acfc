import * as confluence from '../confluence/confluence-world.fixtures.js';
import * as notion from '../notion/notion-world.fixtures.js';
import { sourceConformance } from '../source.conformance.js';

for (const isCloud of [true, false])
  sourceConformance(
    `confluence ${isCloud ? 'cloud' : 'data center'}, in full`,
    () => confluence.makeWorld(isCloud),
    confluence,
  );
sourceConformance('notion, in full', notion.makeWorld, notion);
