import { datasourceErrorOf, INGESTION_ERRORS } from '@citewell/contracts/errors';
import type { DatasourceError, LeftOutReason } from '@citewell/contracts/schemas';
import type { DocumentWarning, LeftOut } from './document.js';

/** A larger share of left out text is a warning. */
const MAX_SHARE = 1 / 3;

const NAMES: Readonly<Record<LeftOutReason, string>> = {
  running: 'in running heads and page numbers',
  navigation: 'in menus and other parts around the content',
  hidden: 'that no reader sees',
  deleted: 'marked as deleted',
};

/**
 * The warning that a datasource shows beside its content: those of its document, and one when more than a third
 * of the text was left out. Null for none. With several, the code is that of the first.
 *
 * @param options.isPage of the web: its menus do not count, because they are often longer than the content
 */
export function warningOf(
  {
    characters,
    leftOut,
    warnings,
  }: Readonly<{ characters: number; leftOut: LeftOut; warnings: readonly DocumentWarning[] }>,
  { isPage }: { isPage: boolean },
): DatasourceError | null {
  const counted = Object.entries(leftOut).filter(([reason]) => !isPage || reason !== 'navigation');
  const total = counted.reduce((sum, [, count]) => sum + count, 0);
  const all = [...warnings];
  if (total > (characters + total) * MAX_SHARE) all.push(mostlyLeftOut(leftOut));
  const [first] = all;
  return first === undefined
    ? null
    : datasourceErrorOf(first.code, all.map(({ message }) => message).join(' '));
}

function mostlyLeftOut(leftOut: LeftOut): DocumentWarning {
  const parts = (Object.keys(NAMES) as LeftOutReason[]).flatMap((reason) =>
    leftOut[reason] === undefined ? [] : [`${leftOut[reason].toLocaleString('en')} ${NAMES[reason]}`],
  );
  return {
    code: 'MOSTLY_LEFT_OUT',
    message: `${INGESTION_ERRORS.MOSTLY_LEFT_OUT.sentence} Characters left out: ${parts.join(', ')}.`,
  };
}
