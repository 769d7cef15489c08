import type { AgentCard as OldCard } from 'a2a-sdk-0.3';
import * as old from 'a2a-sdk-0.3/server';
import { AgentCard, Role, type Message } from '@a2a-js/sdk';
import * as sdk from '@a2a-js/sdk/server';
import { notFound, sendJson, startSite, type Site } from './site.ts';

/** A2A agents built with the official SDKs: the card at its well-known place, JSON-RPC at `/a2a`. */
const SKILLS = [
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
];
const CLAIMS = {
  name: 'Language agent',
  description: 'Translates and summarizes texts.',
  version: '3.1.0',
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  provider: { organization: 'Words Ltd', url: 'https://words.example' },
};

export async function startA2aSdk1(): Promise<Site> {
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
    supportedInterfaces: [
      { url: `${site.url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ],
    capabilities: { streaming: false },
    skills: SKILLS,
  };
  handler = new sdk.JsonRpcTransportHandler(
    new sdk.DefaultRequestHandler(AgentCard.fromJSON(card), new sdk.InMemoryTaskStore(), {
      async execute({ userMessage }, bus) {
        bus.publish(sdk.AgentEvent.message(echoOf(userMessage)));
        bus.finished();
      },
      cancelTask: async () => undefined,
    }),
  );
  return site;
}

function echoOf({ parts, contextId }: Message): Message {
  return {
    messageId: 'reply',
    contextId,
    taskId: '',
    role: Role.ROLE_AGENT,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

export async function startA2aSdk03(): Promise<Site> {
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
    protocolVersion: '0.3.0',
    url: `${site.url}/a2a`,
    preferredTransport: 'JSONRPC',
    capabilities: { streaming: false },
    skills: SKILLS,
  };
  handler = new old.JsonRpcTransportHandler(
    new old.DefaultRequestHandler(card, new old.InMemoryTaskStore(), {
      async execute({ userMessage: { parts } }, bus) {
        bus.publish({ kind: 'message', role: 'agent', messageId: 'reply', parts });
        bus.finished();
      },
      cancelTask: async () => undefined,
    }),
  );
  return site;
}
