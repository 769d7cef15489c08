import { setTimeout as sleep } from 'node:timers/promises';
import type { components } from '../../generated/types.ts';
import { sseEvents } from '../typescript/streams.ts';
import { signRequest, type Signer } from '../typescript/sign.ts';
import { openOutbox } from './outbox.ts';
import { ConnectRefused } from './refused.ts';
import { defined } from '../../domain/defined.ts';

/**
 * The agent's end of a connection (spec/BYTES.md 13), for an MCP server that the hub cannot reach.
 * It polls the hub for calls, makes them only at its configured endpoint, and returns the answers.
 */
export interface ConnectOptions {
  /** Base address of the hub, without a trailing slash. */
  readonly hub: string;
  readonly signer: Signer;
  /** The agent's own MCP server, as seen from here. */
  readonly endpoint: string;
  readonly signal: AbortSignal;
  /** Called when the connection opens and when it is lost. */
  readonly onState?: (state: 'connected' | 'lost', why: string) => void;
  readonly fetch?: typeof fetch;
  readonly now?: () => number;
}

type Work = components['schemas']['HostedWork'];
type Call = Work['calls'][number];
type Reply = components['schemas']['HostedReply'];
interface Poll {
  readonly wait?: number;
  readonly answers?: readonly Reply[];
  readonly close?: boolean;
}
type Send = (poll: Poll) => Promise<readonly Call[]>;

const WAIT_SECONDS = 15;
/** A poll that is not answered by then is lost with its connection. */
const POLL_MS_MAX = 30_000;
const CLOSE_MS_MAX = 2_000;
const CALL_MS_MAX = 20_000;
const BODY_CHARACTERS_MAX = 1_048_576;
const RETRY_MS = [250, 500, 1_000, 2_000, 4_000] as const;
const HEADERS_SENT = ['content-type', 'mcp-session-id', 'www-authenticate'];

/** Serves until the signal is raised; throws ConnectRefused. */
export async function connectAgent(options: ConnectOptions): Promise<void> {
  const { signal, onState } = options;
  const send = openSend(options);
  const outbox = openOutbox(async (answers) => serve(await send({ answers, wait: 0 })), signal);
  const serve = (calls: readonly Call[]): void => {
    for (const call of calls) void replyTo(options, call).then(outbox.add);
  };
  let failures = 0;
  while (!signal.aborted) {
    try {
      serve(await send({ wait: failures === 0 ? WAIT_SECONDS : 0 }));
      if (failures > 0) onState?.('connected', 'the hub answers again');
      failures = 0;
    } catch (error) {
      if (signal.aborted) break;
      if (error instanceof ConnectRefused) throw error;
      if (failures === 0) onState?.('lost', error instanceof Error ? error.message : 'no answer');
      failures += 1;
      const pause = RETRY_MS[Math.min(failures, RETRY_MS.length) - 1];
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }
  // Takes the agent off the live list at once; otherwise the hub notices the loss by itself.
  const last = openSend({ ...options, signal: AbortSignal.timeout(CLOSE_MS_MAX) });
  await last({ close: true }).catch(() => undefined);
}

/** Opens the connection before anything is listed; the next poll keeps it. */
export async function openConnection(options: Omit<ConnectOptions, 'endpoint'>): Promise<void> {
  await openSend(options)({ wait: 0 });
}

function openSend(options: Omit<ConnectOptions, 'endpoint'>): Send {
  const { hub, signer, signal, fetch: call = fetch, now = Date.now } = options;
  const url = `${hub}/api/v1/hosted/${signer.keyId}/connection`;
  return async (poll) => {
    const request = new Request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(poll),
      signal: AbortSignal.any([signal, AbortSignal.timeout(POLL_MS_MAX)]),
    });
    const answer = await call(await signRequest(request, signer, now()));
    const text = await answer.text();
    if (answer.ok) return (JSON.parse(text) as Work).calls;
    if (answer.status >= 500 || answer.status === 429) {
      throw new Error(`the hub answers ${answer.status}`);
    }
    throw new ConnectRefused(answer.status, text);
  };
}

async function replyTo({ endpoint, signal }: ConnectOptions, call: Call): Promise<Reply> {
  const { id, method, headers, body } = call;
  try {
    const answer = await fetch(endpoint, {
      method,
      headers,
      ...defined({ body }),
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS_MAX)]),
    });
    const read = await bodyOf(answer, body);
    if (read.length > BODY_CHARACTERS_MAX) return { id, failed: 'its answer is larger than 1 MiB' };
    const sent = HEADERS_SENT.flatMap((name): [string, string][] => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    return { id, status: answer.status, headers: Object.fromEntries(sent), body: read };
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it did not answer';
    return { id, failed: why.slice(0, 400) };
  }
}

/** The whole body; of an event stream, which may stay open, up to the event that answers. */
async function bodyOf(answer: Response, asked: string | undefined): Promise<string> {
  const type = answer.headers.get('content-type') ?? '';
  if (!type.startsWith('text/event-stream')) return answer.text();
  const wanted = idOf(asked);
  let read = '';
  for await (const { data } of sseEvents(answer)) {
    const lines = data.split('\n').map((line) => `data: ${line}\n`);
    read += `${lines.join('')}\n`;
    if (read.length > BODY_CHARACTERS_MAX || (wanted !== undefined && idOf(data) === wanted)) break;
  }
  return read;
}

function idOf(text: string | undefined): unknown {
  try {
    const message: unknown = JSON.parse(text ?? '');
    return typeof message === 'object' && message !== null && 'id' in message
      ? message.id
      : undefined;
  } catch {
    return undefined;
  }
}
