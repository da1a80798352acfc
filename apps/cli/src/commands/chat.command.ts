import { createInterface } from 'node:readline/promises';
import { chooseAgent } from '../answers/choose-agent.js';
import { explainConflict, printAnswer, printSources } from '../answers/print-answer.js';
import { defineCommand } from '../define-command.js';
import { connect } from '../connect.js';
import { describeError, EXIT_FAILED } from '../describe-error.js';
import { inOneLine, print, printToStderr, styleForStderr } from '../terminal/output.js';

const USAGE = 'citewell chat [--agent <id or name>]';
const HELP = `Talks with an agent. Each line is a question; the answer is followed by the sources that it cites.
Ctrl-C stops an answer, Ctrl-D ends the conversation. In a pipe, each line of standard input is a question.

  --agent <id or name>  default: one that answers from all datastores
  --conversation <id>   continue a conversation
  --all-sources         also print sources that the answer does not cite`;

const OPTIONS = {
  agent: { type: 'string' },
  conversation: { type: 'string' },
  'all-sources': { type: 'boolean' },
} as const;

export const run = defineCommand(
  { usage: USAGE, help: HELP, options: OPTIONS, positionals: { maximum: 0 } },
  async ({ agent: idOrName, conversation, 'all-sources': includeUncited = false }) => {
    const client = connect();
    const agent = await chooseAgent(client, { agent: idOrName });
    const isTerminal = process.stdin.isTTY && process.stderr.isTTY;
    const lines = createInterface({
      input: process.stdin,
      // The prompt is not part of the answers.
      ...(isTerminal ? { output: process.stderr } : {}),
      prompt: styleForStderr('bold', '> '),
    });
    let answering: AbortController | null = null;
    // Without a listener, Ctrl-C would end the conversation.
    lines.on('SIGINT', () => {
      if (answering) return answering.abort();
      printToStderr('\nCtrl-D ends the conversation.');
      lines.prompt();
    });
    if (isTerminal)
      printToStderr(
        `Talking with the agent "${inOneLine(agent.name)}". Ctrl-C stops an answer, Ctrl-D ends.`,
      );

    let conversationId = conversation;
    let exitCode = 0;
    if (isTerminal) lines.prompt();
    for await (const line of lines) {
      const query = line.trim();
      if (query !== '') {
        answering = new AbortController();
        const { signal } = answering;
        try {
          const answer = await explainConflict(agent, () =>
            printAnswer(client, agent.id, { query, conversationId }, { signal }),
          );
          ({ conversationId } = answer);
          printSources(answer, includeUncited);
          print();
        } catch (error) {
          printToStderr(signal.aborted ? 'Stopped.' : describeError(error).message);
          if (!signal.aborted) exitCode = EXIT_FAILED;
        }
        answering = null;
      }
      if (isTerminal) lines.prompt();
    }
    if (isTerminal) printToStderr('');
    return exitCode;
  },
);
