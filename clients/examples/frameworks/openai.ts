import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { hubTools, type Hub } from '../../typescript/index.ts';

export interface Model {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly model: string;
}

const TURNS_MAX = 12;

/** A model with tools of the hub, by any OpenAI-style endpoint; gives what it says at the end. */
export async function askWithTools(
  hub: Hub,
  { baseURL, apiKey, model }: Model,
  allowed: readonly string[],
  wish: string,
): Promise<string> {
  const client = new OpenAI({ baseURL, apiKey });
  const tools = await hubTools(hub, allowed);
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: wish }];
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    const { choices } = await client.chat.completions.create({
      model,
      messages,
      tools: tools.openAi,
    });
    const message = choices[0]?.message;
    if (message === undefined) break;
    messages.push(message);
    const calls = message.tool_calls ?? [];
    if (calls.length === 0) return message.content ?? '';
    for (const call of calls) {
      if (call.type !== 'function') continue;
      const content = await tools.call(call.function.name, call.function.arguments);
      messages.push({ role: 'tool', tool_call_id: call.id, content });
    }
  }
  throw new Error('the model did not come to an end');
}
