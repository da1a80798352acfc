import { SENTENCE_MARK, type Source, withAddedCitations } from '@citewell/sdk';
import { marked, type Token, type Tokens } from 'marked';
import { Fragment, type ReactNode, useMemo } from 'react';
import classes from './ask.module.css';
import { CitationLink, UnsupportedMark } from './citation-link.js';

interface Citations {
  sources: readonly Source[];
  activeNumber: number | null;
  onActive: (number: number | null) => void;
}

/**
 * The Markdown of an answer with its marks (`markSentences`), as elements. `[1]` becomes a link to the passage. HTML in the text is shown as text; the
 * server has removed images and unknown links.
 */
export function AnswerText({ text, ...citations }: { text: string } & Citations): ReactNode {
  const tokens = useMemo(() => marked.lexer(text), [text]);
  return (
    <div className={classes['answer']} dir="auto">
      <Blocks tokens={tokens} citations={citations} />
    </div>
  );
}

function Blocks({ tokens, citations }: { tokens: readonly Token[]; citations: Citations }): ReactNode {
  return tokens.map((token, index) => (
    // Tokens of a stream are only appended or extended.
    <Fragment key={index}>{blockOf(token as Tokens.Generic, citations)}</Fragment>
  ));
}

function blockOf(token: Tokens.Generic, citations: Citations): ReactNode {
  const inline = <Inline tokens={token.tokens ?? []} citations={citations} />;
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading': {
      // Below the title of the page and the question.
      const Heading = token['depth'] <= 2 ? 'h3' : 'h4';
      return <Heading>{inline}</Heading>;
    }
    case 'paragraph':
      return <p>{inline}</p>;
    case 'code':
      return (
        <pre>
          <code>{withAddedCitations(token['text'])}</code>
        </pre>
      );
    case 'blockquote':
      return (
        <blockquote>
          <Blocks tokens={token.tokens ?? []} citations={citations} />
        </blockquote>
      );
    case 'list': {
      const { ordered, start, items } = token as Tokens.List;
      const content = items.map((item, index) => (
        <li key={index}>
          <Blocks tokens={item.tokens} citations={citations} />
        </li>
      ));
      return ordered ? <ol start={Number(start) || 1}>{content}</ol> : <ul>{content}</ul>;
    }
    case 'hr':
      return <hr />;
    case 'table':
      return <Table table={token as Tokens.Table} citations={citations} />;
    case 'text':
      return token.tokens ? inline : withCitations(String(token['text']), citations);
    default:
      return withCitations(token.raw, citations);
  }
}

function Table({ table, citations }: { table: Tokens.Table; citations: Citations }): ReactNode {
  const cells = (Cell: 'th' | 'td', row: readonly Tokens.TableCell[]): ReactNode => (
    <tr>
      {row.map(({ tokens }, index) => (
        <Cell key={index}>
          <Inline tokens={tokens} citations={citations} />
        </Cell>
      ))}
    </tr>
  );
  return (
    // Wide tables scroll; scrollable areas can be reached by keyboard.
    <div className={classes['table']} tabIndex={0}>
      <table>
        <thead>{cells('th', table.header)}</thead>
        <tbody>
          {table.rows.map((row, index) => (
            <Fragment key={index}>{cells('td', row)}</Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Inline({ tokens, citations }: { tokens: readonly Token[]; citations: Citations }): ReactNode {
  return tokens.map((token, index) => (
    <Fragment key={index}>{inlineOf(token as Tokens.Generic, citations)}</Fragment>
  ));
}

function inlineOf(token: Tokens.Generic, citations: Citations): ReactNode {
  const inline = <Inline tokens={token.tokens ?? []} citations={citations} />;
  switch (token.type) {
    case 'strong':
      return <strong>{inline}</strong>;
    case 'em':
      return <em>{inline}</em>;
    case 'del':
      return <del>{inline}</del>;
    case 'codespan':
      return <code>{withAddedCitations(token['text'])}</code>;
    case 'br':
      return <br />;
    case 'link':
      return /^https?:/.test(token['href']) ? (
        <a href={token['href']} target="_blank" rel="noopener noreferrer nofollow">
          {inline}
        </a>
      ) : (
        token.raw
      );
    case 'escape':
      return token['text'];
    case 'text':
      return token.tokens ? inline : withCitations(String(token['text']), citations);
    default:
      return withCitations(token.raw, citations);
  }
}

/** The text with a link in place of each citation that has a source, and with a mark after unsupported sentences. */
function withCitations(text: string, { sources, activeNumber, onActive }: Citations): ReactNode {
  return text.split(/(\[\d+\]|\uFDD0\d*\uFDD1)/).map((part, index) => {
    const added = SENTENCE_MARK.exec(part)?.[1];
    if (added === '') return <UnsupportedMark key={index} />;
    const number = Number(added ?? /^\[(\d+)\]$/.exec(part)?.[1]);
    const source = sources[number - 1];
    return source ? (
      <CitationLink
        key={index}
        source={source}
        citations={sources.filter(({ cited }) => cited)}
        number={number}
        isAdded={added !== undefined}
        isActive={number === activeNumber}
        onActive={onActive}
      />
    ) : (
      part
    );
  });
}
