/**
 * The data part of a diagram.
 *
 * @param points texts by id
 * @param edges the connections; `doc` is the id of the diagram
 */
export function diagramModel(
  points: Readonly<Record<string, string>>,
  edges: readonly (readonly [parent: string, child: string, order: number])[],
): string {
  const list = Object.entries(points).map(
    ([id, text]) =>
      `<dgm:pt modelId="${id}"><dgm:t><a:bodyPr/><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`,
  );
  const connections = edges.map(
    ([parent, child, order]) => `<dgm:cxn srcId="${parent}" destId="${child}" srcOrd="${order}"/>`,
  );
  return `<dgm:dataModel xmlns:dgm="dgm" xmlns:a="a"><dgm:ptLst><dgm:pt modelId="doc" type="doc"/>${list.join('')}</dgm:ptLst><dgm:cxnLst>${connections.join('')}</dgm:cxnLst></dgm:dataModel>`;
}

/**
 * A chart part.
 *
 * @param plotArea the children of `plotArea`
 * @param title the element `title`
 */
export function chartSpace(plotArea: string, title = ''): string {
  return `<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart>${title}<c:plotArea><c:layout/>${plotArea}</c:plotArea></c:chart></c:chartSpace>`;
}

/** The cached values of a chart for a column of cells. */
export function chartPoints(texts: readonly string[]): string {
  return texts.map((text, index) => `<c:pt idx="${index}"><c:v>${text}</c:v></c:pt>`).join('');
}

/**
 * The element that references a chart or diagram in a drawing.
 *
 * @param id the relationship to its part
 */
export function graphic(kind: 'chart' | 'diagram', id: string): string {
  const reference =
    kind === 'chart'
      ? `<c:chart r:id="${id}"/>`
      : `<dgm:relIds r:dm="${id}" r:lo="none" r:qs="none" r:cs="none"/>`;
  return `<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/${kind}">${reference}</a:graphicData></a:graphic>`;
}
