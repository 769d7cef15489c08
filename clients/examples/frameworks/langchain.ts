import { HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { BaseToolkit, tool, type StructuredToolInterface } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { hubTools, type Hub } from '../../typescript/index.ts';
import type { Model } from './openai.ts';

/** Tools of a hub for LangChain: `new ChatOpenAI(…).bindTools((await HubToolkit.open(…)).tools)`. */
export class HubToolkit extends BaseToolkit {
  override readonly tools: StructuredToolInterface[];

  constructor(tools: StructuredToolInterface[]) {
    super();
    this.tools = tools;
  }

  static async open(hub: Hub, allowed: readonly string[]): Promise<HubToolkit> {
    const { tools, call } = await hubTools(hub, allowed);
    return new HubToolkit(
      tools.map(({ name, description, parameters }) =>
        tool((given: unknown) => call(name, given), { name, description, schema: parameters }),
      ),
    );
  }
}

const TURNS_MAX = 12;

/** The smallest agent: the model is asked until it calls no tool; gives what it says then. */
export async function askLangChain(
  hub: Hub,
  { baseURL, apiKey, model }: Model,
  allowed: readonly string[],
  wish: string,
): Promise<string> {
  const { tools } = await HubToolkit.open(hub, allowed);
  const chat = new ChatOpenAI({ model, apiKey, configuration: { baseURL } }).bindTools(tools);
  const messages: BaseMessage[] = [new HumanMessage(wish)];
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    const answer = await chat.invoke(messages);
    messages.push(answer);
    const calls = answer.tool_calls ?? [];
    if (calls.length === 0) return answer.text;
    for (const call of calls) {
      const named = tools.find(({ name }) => name === call.name);
      const content: unknown =
        named === undefined ? `There is no tool ${call.name}.` : await named.invoke(call.args);
      messages.push(new ToolMessage({ content: String(content), tool_call_id: call.id ?? '' }));
    }
  }
  throw new Error('the model did not come to an end');
}
