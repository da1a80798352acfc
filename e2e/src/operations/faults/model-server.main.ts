// Runs a model server as a process, and prints its URL. An answer is the sentence of the prompt that has the word of the
// question, `boat` with a number, and its citation.
import { type ReceivedMessage, startModelServer } from '@citewell/testing/model-server';

const server = await startModelServer({ answer });
process.stdout.write(`${server.baseUrl}\n`);
// The requests are kept for tests that look at them.
setInterval(() => (server.requests.length = 0), 1_000);

function answer(messages: readonly ReceivedMessage[]): string[] {
  const prompt = messages.map(({ content }) => content).join('\n');
  const word = /Where is (boat\w+)\?/.exec(prompt)?.[1];
  let number = '';
  for (const line of prompt.split('\n')) {
    number = /^\[(\d+)\]$/.exec(line)?.[1] ?? number;
    const sentence = new RegExp(`The ${word} lies [^.]+`).exec(line)?.[0];
    if (sentence !== undefined) return [sentence.slice(0, 20), sentence.slice(20), ` [${number}].`];
  }
  return ['The passages do not say where it is.'];
}
