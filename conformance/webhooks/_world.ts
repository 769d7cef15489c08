import assert from 'node:assert/strict';
import { createHmac, createPublicKey, verify, type KeyObject } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeClock } from '../harness/clock.ts';
import type { Agent, Answer } from '../harness/agents.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk } from '../harness/must.ts';

/** A hub that may call the receivers of a test, and what owners and receivers of webhooks do. */
export type Body = Record<string, unknown>;
export const WEBHOOKS = '/api/v1/me/webhooks';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Decides how a message is answered. */
export type Behaviour = (message: Received, response: ServerResponse) => void;

export interface Receiver {
  readonly pair: string;
  readonly url: string;
  /** Whole messages, in the order in which they came. */
  readonly received: Received[];
  answer(behaviour: Behaviour): void;
  close(): Promise<void>;
}

export const status =
  (code: number, headers: Record<string, string> = {}): Behaviour =>
  (_, response) =>
    void response.writeHead(code, headers).end();

export async function startReceiver(behaviour: Behaviour = status(204)): Promise<Receiver> {
  const received: Received[] = [];
  let current = behaviour;
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const message = { path: request.url ?? '', headers: request.headers, body };
      received.push(message);
      current(message, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const pair = `127.0.0.1:${port}`;
  return {
    pair,
    url: `http://${pair}/hook`,
    received,
    answer: (next) => (current = next),
    close: () => closed(server),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

export interface WebhookWorld extends Fixture {
  readonly receiver: Receiver;
}

/** A hub and one receiver; `pairs` are hosts that it may call beside. */
export async function openWebhookWorld(
  options: {
    readonly databaseUrl?: string;
    readonly clock?: FakeClock;
    readonly pairs?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Promise<WebhookWorld> {
  const receiver = await startReceiver();
  const { pairs = [], env, ...rest } = options;
  const hosts = [receiver.pair, ...pairs].join(',');
  const world = await openFixture({ ...rest, env: { HUB_ALLOW_PRIVATE_HOSTS: hosts, ...env } });
  return {
    ...world,
    receiver,
    async close() {
      await world.close();
      await receiver.close();
    },
  };
}

export async function create(agent: Agent, body: Body): Promise<Body> {
  return mustOk(await agent.post(WEBHOOKS, body));
}

/** An agent with a webhook to a receiver. */
export async function withWebhook(
  world: WebhookWorld,
  body: Body = {},
): Promise<{ readonly agent: Agent; readonly webhook: Body; readonly path: string }> {
  const agent = await world.agent();
  const webhook = await create(agent, { url: world.receiver.url, ...body });
  return { agent, webhook, path: `${WEBHOOKS}/${String(webhook['id'])}` };
}

/** Causes an event of the account: money of this many units. */
export async function cause(world: Fixture, agent: Agent, ...units: number[]): Promise<void> {
  for (const each of units) await world.fund(agent, `${each}`);
}

/** Sends what is due. */
export function deliver({ hub }: Fixture): Promise<void> {
  return hub.runJob('webhooks');
}

export async function read(agent: Agent, path: string): Promise<Body> {
  return mustOk(await agent.get(path));
}

/** The webhook at this path, as the list has it. */
export async function webhookAt(agent: Agent, path: string): Promise<Body> {
  const id = path.slice(WEBHOOKS.length + 1);
  const { webhooks } = await read(agent, `${WEBHOOKS}?id=${id}`);
  const [webhook] = webhooks as Body[];
  return webhook ?? assert.fail('a webhook');
}

export async function deliveriesOf(agent: Agent, path: string, query = ''): Promise<Body[]> {
  return (await read(agent, `${path}/deliveries${query}`))['deliveries'] as Body[];
}

export function post(agent: Agent, path: string, body: Body = {}): Promise<Answer> {
  return agent.post(path, body);
}

/** The amounts that the received messages of money report. */
export function amounts(received: readonly Received[]): number[] {
  return received.map(({ body }) => Number(at(JSON.parse(body), 'data', 'entry', 'amount')));
}

const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

function publicKeyIn(text: string): KeyObject {
  const raw = Buffer.from(text.replace('whpk_', ''), 'base64');
  assert.equal(raw.length, 32);
  const key = Buffer.concat([SPKI_PREFIX, raw]);
  return createPublicKey({ key, format: 'der', type: 'spki' });
}

/** Whether one of the signatures of a message is of this public key, and one of this secret. */
export function verified(
  { headers, body }: Received,
  { publicKey, secret }: { readonly publicKey?: unknown; readonly secret?: unknown },
): boolean {
  const text = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const signatures = String(headers['webhook-signature']).split(' ');
  const of = (scheme: string): Buffer[] =>
    signatures.flatMap((each) => {
      const [name, value = ''] = each.split(',');
      return name === scheme ? [Buffer.from(value, 'base64')] : [];
    });
  if (publicKey !== undefined) {
    const key = publicKeyIn(String(publicKey));
    if (!of('v1a').some((each) => verify(null, Buffer.from(text), key, each))) return false;
  }
  if (secret !== undefined) {
    const key = Buffer.from(String(secret).replace('whsec_', ''), 'base64');
    const expected = createHmac('sha256', key).update(text).digest();
    if (!of('v1').some((each) => each.equals(expected))) return false;
  }
  return true;
}

/** Defines a suite for a hub on each of the two databases. */
export { onEachDatabase } from '../validators/_court.ts';
