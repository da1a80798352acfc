import type { ChatEvent, ChatMessage, ChatTool, ToolCall } from './model.port.js';

/** The beginning of a line that may be a call in the text: JSON, perhaps in a code block or in a tag of the model. */
const BEGINNING = /^[ \t]*(?:```\w{0,10}\s*|<[\w|]{1,20}>\s*)?\{/;
/** What may become one, as soon as there is more text. */
const INCOMPLETE = /^[ \t]*(?:`{0,3}|```\w{0,10}\s*|<[\w|]{0,20}|<[\w|]{1,20}>\s*)$/;

/**
 * Messages that offer tools to a model that has no interface for them: it replies with JSON instead. The instruction is part of
 * the first message.
 */
export function withToolInstructions(
  messages: readonly ChatMessage[],
  tools: readonly ChatTool[],
): ChatMessage[] {
  const offered = tools.map(
    ({ name, description, parameters }) =>
      `${name}: ${description}\nArguments: ${JSON.stringify(parameters)}`,
  );
  const text = [
    'You can call tools. To call one, reply with nothing but JSON: {"tool": "<name>", "arguments": {…}}. You then receive its result.',
    ...offered,
    'Otherwise, reply with your answer.',
  ].join('\n\n');
  const [first, ...rest] = messages;
  if (first?.role !== 'system') return [{ role: 'system', content: text }, ...messages];
  return [{ ...first, content: `${first.content}\n\n${text}` }, ...rest];
}

/** A call of a tool as text, in the form that {@link withToolInstructions} asks for. */
export function toolCallText({ name, arguments: args }: ToolCall): string {
  return JSON.stringify({ tool: name, arguments: args });
}

/**
 * Finds calls of tools in the text of a model: as JSON in place of an answer, or after one, as models write them that were
 * asked to, and some others. Text that is a call is no text of the answer. What may be the beginning of a call is held back.
 */
export class ToolCallReader {
  private held = '';
  private hasText = false;
  private isAtLineStart = true;

  constructor(private readonly tools: readonly ChatTool[]) {}

  push(text: string): ChatEvent[] {
    this.held += text;
    if (this.tools.length === 0) return this.release(this.held.length);
    return this.release(this.callStart());
  }

  /** All text so far was none of the answer. */
  clear(): void {
    this.held = '';
    this.hasText = false;
    this.isAtLineStart = true;
  }

  /**
   * The end of the text: the calls, or the text that was held back.
   *
   * @param calls that the provider reports apart from the text
   */
  flush(calls: readonly ToolCall[]): ChatEvent[] {
    const written = this.callIn(this.held);
    const all = calls.length === 0 && written !== null ? [written] : calls;
    if (all.length === 0) return this.release(this.held.length);
    return [
      ...(this.hasText ? [{ retracted: true } as const] : []),
      ...all.map((toolCall) => ({ toolCall })),
    ];
  }

  /** The offset of the first line that is or may become a call. */
  private callStart(): number {
    let at = this.isAtLineStart ? 0 : this.held.indexOf('\n') + 1;
    if (at === 0 && !this.isAtLineStart) return this.held.length;
    for (;;) {
      const rest = this.held.slice(at);
      if (BEGINNING.test(rest.slice(0, 100)) || INCOMPLETE.test(rest.slice(0, 200))) return at;
      const next = rest.indexOf('\n') + 1;
      if (next === 0) return this.held.length;
      at += next;
    }
  }

  private release(length: number): ChatEvent[] {
    const text = this.held.slice(0, length);
    this.held = this.held.slice(length);
    if (text === '') return [];
    this.isAtLineStart = text.endsWith('\n');
    this.hasText ||= text.trim() !== '';
    return [{ text }];
  }

  private callIn(text: string): ToolCall | null {
    const object = firstObject(text);
    const value = object === null ? null : parsed(object);
    if (value === null) return null;
    // Models that were trained with a form of their own use its names.
    const name = value['tool'] ?? value['name'];
    const args = value['arguments'] ?? value['parameters'];
    if (!this.tools.some((tool) => tool.name === name)) return null;
    const json = typeof args === 'string' ? args : JSON.stringify(args ?? {});
    return { name: String(name), arguments: parsed(json) ?? {} };
  }
}

/** The first object of JSON in a text; null if it has none, or does not end. */
function firstObject(text: string): string | null {
  const start = text.indexOf('{');
  let depth = 0;
  let isString = false;
  for (let at = start; at >= 0 && at < text.length; at += 1) {
    const char = text[at];
    if (isString) {
      if (char === '\\') at += 1;
      else if (char === '"') isString = false;
    } else if (char === '"') isString = true;
    else if (char === '{') depth += 1;
    else if (char === '}' && (depth -= 1) === 0) return text.slice(start, at + 1);
  }
  return null;
}

/** Line breaks in strings are not valid JSON, but models write them. */
export function parsed(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json.replace(/[\r\n\t]+/g, ' '));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
