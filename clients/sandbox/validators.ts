import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { unwrap } from '../typescript/index.ts';
import { beFunded, NETWORK, onEach, type ScriptedAgent } from './agents.ts';
import { rulingOn, verdictOn } from './script.ts';

/** The judges' endpoints, real ones on this machine, and what a seat does besides judging. */
export interface Endpoint {
  /** `host:port`, which the hub must be allowed to call. */
  readonly pair: string;
  readonly url: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const BODY_BYTES_MAX = 1_048_576;

export async function openEndpoint(): Promise<Endpoint> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await listen(server);
  const { port } = server.address() as AddressInfo;
  const pair = `${HOST}:${port}`;
  return {
    pair,
    url: `http://${pair}/verdict`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, HOST, resolve);
  });
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const verdict = verdictOn(titleOf(await bodyOf(request)));
  // Nothing is said: to the hub a dropped connection is a judge that does not answer.
  if (verdict === 'silent') return void response.destroy();
  const reason = verdict === 'accepted' ? 'The script accepts.' : 'The title asked me to reject.';
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ verdict, reason }));
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new Error('a case is smaller than that');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
}

function titleOf(body: unknown): string {
  const isCase = typeof body === 'object' && body !== null && 'title' in body;
  return isCase ? String(body.title) : '';
}

/** A judge of markets needs a stake; this one is enough on a network of test money. */
const STAKE = '100000';

/** Takes a seat with a stake, or gives the hub its new endpoint after a restart. */
export async function takeValidatorSeat(me: ScriptedAgent, endpoint: Endpoint): Promise<void> {
  const { hub, account } = me;
  await beFunded(me);
  const body = { account, endpoint: endpoint.url, network: NETWORK, stake: STAKE };
  unwrap(await hub.POST('/api/v1/validators', { body }));
}

export async function runValidator({ hub, account }: ScriptedAgent): Promise<void> {
  const query = { arbiter: account };
  const { disputes } = unwrap(await hub.GET('/api/v1/disputes', { params: { query } }));
  await onEach(disputes, async ({ taskId: id, reason }) => {
    const verdict = rulingOn(reason);
    if (verdict === 'silent') return;
    const body = { by: account, verdict, resolution: 'By the words of the dispute.' };
    unwrap(await hub.POST('/api/v1/tasks/{id}/arbitrate', { params: { path: { id } }, body }));
  });
}
