import type { JsonObject } from '../../jsonObject.ts';
import { contentOf } from './fault.ts';

/**
 * Collects the messages of a conversation. What the model said and called in one turn is one
 * message, because providers want the answers of tools right after all calls of their turn.
 */
export class Conversation {
  readonly messages: JsonObject[] = [];
  #text: JsonObject[] = [];
  #calls: JsonObject[] = [];

  say(role: 'system' | 'user', parts: readonly JsonObject[]): void {
    this.#end();
    if (parts.length > 0) this.messages.push({ role, content: contentOf(parts) });
  }

  /** Words of the model; those after a call belong to the same turn. */
  speak(parts: readonly JsonObject[]): void {
    this.#text.push(...parts);
  }

  /** `more` has members that a provider added to the call and wants back. */
  called(id: string, name: string, input: string, more: JsonObject = {}): void {
    this.#calls.push({ ...more, id, type: 'function', function: { name, arguments: input } });
  }

  answered(id: string, parts: readonly JsonObject[]): void {
    this.#end();
    this.messages.push({ role: 'tool', tool_call_id: id, content: contentOf(parts) });
  }

  /** Ends the model's turn that is under way. */
  ended(): readonly JsonObject[] {
    this.#end();
    return this.messages;
  }

  #end(): void {
    const [text, calls] = [this.#text, this.#calls];
    if (text.length === 0 && calls.length === 0) return;
    this.messages.push({
      role: 'assistant',
      content: text.length === 0 ? null : contentOf(text),
      ...(calls.length > 0 && { tool_calls: calls }),
    });
    [this.#text, this.#calls] = [[], []];
  }
}
