// Writes the blocks of `sample.mjs` as Markdown, reStructuredText, AsciiDoc and a notebook, and as the plain text
// that a reader of the page sees.

const withoutBackticks = (text) => text.replaceAll('`', '');

/** The reference: all text of the blocks without markup. */
export function plainText(blocks) {
  return blocks
    .map(({ text = '', list, table }) =>
      withoutBackticks((table?.map((row) => row.join(' | ')) ?? list ?? [text]).join('\n')),
    )
    .join('\n\n')
    .concat('\n');
}

/** @param note writes an admonition: (kind, text) => Markdown */
export function markdown(blocks, note) {
  return blocks
    .map((block) => {
      if (block.heading) return `${'#'.repeat(block.heading)} ${block.text}`;
      if (block.list) return block.list.map((item) => `- ${item}`).join('\n');
      if (block.code) return `\`\`\`${block.code}\n${block.text}\n\`\`\``;
      if (block.note) return note(block.note, block.text);
      if (block.table) {
        const [header, ...rows] = block.table.map((row) => `| ${row.join(' | ')} |`);
        return [header, `|${' --- |'.repeat(block.table[0].length)}`, ...rows].join('\n');
      }
      return block.text;
    })
    .join('\n\n')
    .concat('\n');
}

/** Admonitions of VitePress and Docusaurus. */
export const fencedNote = (kind, text) => `:::${kind}\n\n${text}\n\n:::`;
/** Admonitions of Python-Markdown. */
export const bangNote = (kind, text) => `!!! ${kind}\n\n    ${text}`;
/** For generators without admonitions. */
export const quotedNote = (_, text) => `> ${text}`;

export function restructuredText(blocks) {
  return blocks
    .map((block) => {
      const text = (block.text ?? '').replaceAll('`', '``');
      if (block.heading) return `${text}\n${'=-~'[block.heading - 1].repeat(text.length)}`;
      if (block.list) return block.list.map((item) => `- ${item}`).join('\n');
      if (block.code)
        return `.. code-block:: ${block.code}\n   :linenos:\n\n${block.text.replace(/^(?=.)/gm, '   ')}`;
      if (block.note) return `.. ${block.note}::\n\n   ${text}`;
      if (block.table) {
        const rows = block.table.map((row) => row.map((cell, n) => `   ${n === 0 ? '*' : ' '} - ${cell}`));
        return `.. list-table::\n   :header-rows: 1\n\n${rows.flat().join('\n')}`;
      }
      return text;
    })
    .join('\n\n')
    .concat('\n');
}

export function asciiDoc(blocks) {
  return blocks
    .map((block) => {
      if (block.heading) return `${'='.repeat(block.heading)} ${block.text}`;
      if (block.list) return block.list.map((item) => `* ${item}`).join('\n');
      if (block.code) return `[source,${block.code},linenums]\n----\n${block.text}\n----`;
      if (block.note) return `${block.note.toUpperCase()}: ${block.text}`;
      if (block.table) {
        const rows = block.table.map((row) => row.map((cell) => `|${cell}`).join(' '));
        return `[%header,cols="${block.table[0].map(() => '1').join(',')}"]\n|===\n${rows.join('\n')}\n|===`;
      }
      return block.text;
    })
    .join('\n\n')
    .concat('\n');
}

/** A Jupyter notebook. Code is not executed. */
export function notebook(blocks) {
  const cells = blocks.map((block, n) =>
    block.code === 'python'
      ? {
          id: `cell-${n}`,
          cell_type: 'code',
          source: block.text,
          execution_count: null,
          outputs: [],
          metadata: {},
        }
      : { id: `cell-${n}`, cell_type: 'markdown', source: markdown([block], quotedNote), metadata: {} },
  );
  const kernelspec = { display_name: 'Python 3', language: 'python', name: 'python3' };
  return JSON.stringify({
    cells,
    metadata: { kernelspec, language_info: { name: 'python' } },
    nbformat: 4,
    nbformat_minor: 5,
  });
}
