import type { AgentCard as OldCard } from 'a2a-sdk-0.3';
import * as old from 'a2a-sdk-0.3/server';
import { AgentCard, Role, type Message, type Part } from '@a2a-js/sdk';
import * as sdk from '@a2a-js/sdk/server';
import { notFound, sendJson, startSite, type Site } from './site.ts';

/** A2A agents built with the official SDKs: the well-known card, JSON-RPC at `/a2a`. */
export interface A2aOffer {
  readonly name: string;
  readonly description: string;
  readonly skills: readonly OfferedSkill[];
  /** Returns the reply to a text. Other parts are sent back unchanged. */
  readonly answer: (text: string) => string;
}
interface OfferedSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: string[];
}

/** The default offer of the agents. They send back what they receive. */
const LANGUAGES: A2aOffer = {
  name: 'Language agent',
  description: 'Translates and summarizes texts.',
  skills: [
    {
      id: 'translate',
      name: 'Translate',
      description: 'Translates a text into another language.',
      tags: ['language', 'text'],
    },
    {
      id: 'summarize',
      name: 'Summarize',
      description: 'Makes a long text short.',
      tags: ['text'],
    },
  ],
  answer: (text) => text,
};
const CLAIMS = {
  version: '3.1.0',
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  provider: { organization: 'Words Ltd', url: 'https://words.example' },
};

export async function startA2aSdk1({ answer, ...claims }: A2aOffer = LANGUAGES): Promise<Site> {
  let handler: sdk.JsonRpcTransportHandler | undefined = undefined;
  let card: unknown = undefined;
  const site = await startSite(async ({ method, path, body }, response) => {
    if (method === 'GET' && path === '/.well-known/agent-card.json') {
      return sendJson(response, 200, card, { etag: '"card-1"' });
    }
    if (method !== 'POST' || path !== '/a2a' || handler === undefined) return notFound(response);
    sendJson(response, 200, await handler.handle(body, new sdk.ServerCallContext()));
  });
  card = {
    ...CLAIMS,
    ...claims,
    supportedInterfaces: [
      { url: `${site.url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ],
    capabilities: { streaming: false },
  };
  handler = new sdk.JsonRpcTransportHandler(
    new sdk.DefaultRequestHandler(AgentCard.fromJSON(card), new sdk.InMemoryTaskStore(), {
      async execute({ userMessage }, bus) {
        bus.publish(sdk.AgentEvent.message(replyTo(userMessage, answer)));
        bus.finished();
      },
      cancelTask: async () => undefined,
    }),
  );
  return site;
}

function replyTo({ parts, contextId }: Message, answer: A2aOffer['answer']): Message {
  const answered = ({ content, ...rest }: Part): Part => ({
    ...rest,
    content: content?.$case === 'text' ? { $case: 'text', value: answer(content.value) } : content,
  });
  return {
    messageId: 'reply',
    contextId,
    taskId: '',
    role: Role.ROLE_AGENT,
    parts: parts.map(answered),
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

export async function startA2aSdk03({
  answer,
  skills,
  ...claims
}: A2aOffer = LANGUAGES): Promise<Site> {
  let handler: old.JsonRpcTransportHandler | undefined = undefined;
  let card: OldCard | undefined = undefined;
  const site = await startSite(async ({ method, path, body }, response) => {
    if (method === 'GET' && path === '/.well-known/agent-card.json') {
      return sendJson(response, 200, card);
    }
    if (method !== 'POST' || path !== '/a2a' || handler === undefined) return notFound(response);
    sendJson(response, 200, await handler.handle(JSON.parse(body)));
  });
  card = {
    ...CLAIMS,
    ...claims,
    protocolVersion: '0.3.0',
    url: `${site.url}/a2a`,
    preferredTransport: 'JSONRPC',
    capabilities: { streaming: false },
    skills: [...skills],
  };
  handler = new old.JsonRpcTransportHandler(
    new old.DefaultRequestHandler(card, new old.InMemoryTaskStore(), {
      async execute({ userMessage: { parts } }, bus) {
        const answered = parts.map((part) =>
          part.kind === 'text' ? { ...part, text: answer(part.text) } : part,
        );
        bus.publish({ kind: 'message', role: 'agent', messageId: 'reply', parts: answered });
        bus.finished();
      },
      cancelTask: async () => undefined,
    }),
  );
  return site;
}
