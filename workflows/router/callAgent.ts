import { sha256Hex } from '../../domain/digest.ts';
import { ASSET } from '../../domain/network.ts';
import { isA2aMethod } from '../../domain/router/a2aMethods.ts';
import { failureSays, saysNothing, tooDeep } from '../../domain/router/answer.ts';
import type { Ending } from '../../domain/router/ending.ts';
import { ANSWER_BYTES_MAX, ATTEMPT_MS_MAX, CALL_MS_MAX } from '../../domain/router/receipt.ts';
import { wayOn } from '../../domain/x402/way.ts';
import type { Hub } from '../kernel/hub.ts';
import { patienceOf } from './patience.ts';
import { forwardTool } from '../hosted/forward.ts';
import type { CallUnderWay } from './begin.ts';
import type { Ended } from './remember.ts';

/** One candidate called in its own protocol, and what came back in the words of the router. */
export interface Asked {
  readonly kind: 'tool' | 'resource' | 'prompt';
  /** A tool, method or skill, the address of a resource, or a prompt. */
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** How long the caller waits for one agent; 20 s when absent. */
  readonly waitSeconds?: number;
}
type AgentResponse = Awaited<ReturnType<Hub['agents']['callTool']>>;
type Wishes = NonNullable<Parameters<Hub['agents']['callTool']>[3]>;

/** Failures that the hub itself caused; they say nothing about the agent. */
const NOT_CALLED = ['refused-url', 'refused-address', 'refused-request', 'busy'];
/** Failures before the request was sent. */
const NOT_SENT = ['dns', 'connect', 'tls'];
/** Requests that run something or hand it over. */
const MCP_CALLS = ['tools/call', 'resources/read', 'prompts/get'];
/** Answered, and not with what was asked for. */
const BAD_ANSWER = ['malformed', 'server-error', 'too-large', 'too-many-redirects', 'bad-redirect'];

/**
 * Never throws for a fault of the called host. Takes as long as the caller waits, at most what is
 * left of the 60 s: behind 20 s an agent is waited for while it reports progress.
 */
export async function callAgent(
  hub: Hub,
  underWay: CallUnderWay,
  asked: Asked,
  elapsedMs: number,
): Promise<Ended> {
  const startedAt = hub.clock.elapsedMs();
  const waitMs = asked.waitSeconds === undefined ? ATTEMPT_MS_MAX : asked.waitSeconds * 1_000;
  const totalMs = Math.max(1, Math.min(waitMs, CALL_MS_MAX - elapsedMs));
  const patience = patienceOf(Math.min(totalMs, ATTEMPT_MS_MAX));
  let isSent = false;
  let isCut = false;
  const response = await say(hub, underWay, asked, {
    limits: { totalMs, firstByteMs: totalMs, bytesMax: ANSWER_BYTES_MAX },
    signal: patience.signal,
    ...(waitMs > ATTEMPT_MS_MAX && { onProgress: patience.renew }),
    ...creditOf(underWay),
    ...(underWay.upstream !== undefined && { payment: underWay.upstream.along }),
    onExchange: ({ method, end }) => {
      isSent ||= underWay.candidate.kind === 'a2a' || MCP_CALLS.includes(method);
      isCut = end.kind === 'failed' && end.cutOff === true;
    },
  });
  patience.end();
  const bytes = 'bytes' in response ? response.bytes : response.raw?.bytes;
  return {
    ending: endingOf(hub, underWay, response, { isSent, isCut, kind: asked.kind }),
    latencyMs: Math.max(0, Math.round(hub.clock.elapsedMs() - startedAt)),
    ...(bytes !== undefined && { hash: sha256Hex(bytes) }),
    bytes: bytes?.length ?? 0,
  };
}

/**
 * Returns the money that is held for this call, so that a seller can refuse what is too little. It
 * is signed, so that only the hub can claim it (choices router.quotes).
 */
function creditOf({ credit, receipt }: CallUnderWay): Wishes {
  if (credit === undefined) return {};
  const { id, network, hold } = receipt;
  const held = `"${credit}";amount=${hold?.amount ?? 0};network="${network}";receipt="${id}"`;
  return { sign: true, headers: { 'hub-credit': held } };
}

function say(
  hub: Hub,
  { candidate, receipt }: CallUnderWay,
  { kind, name: operation, args }: Asked,
  wishes: Wishes,
): Promise<AgentResponse> {
  const { caller } = receipt;
  const { hosted } = candidate;
  if (hosted !== undefined) {
    return forwardTool(hub, hosted, { caller, tool: operation, args }, wishes);
  }
  if (kind === 'resource') {
    const params = { uri: operation };
    return hub.agents.callMcp(candidate, { method: 'resources/read', params }, wishes);
  }
  if (kind === 'prompt') {
    const params = { name: operation, arguments: args };
    return hub.agents.callMcp(candidate, { method: 'prompts/get', params }, wishes);
  }
  if (candidate.kind === 'mcp') return hub.agents.callTool(candidate, operation, args, wishes);
  if (isA2aMethod(operation)) return hub.agents.callMethod(candidate, operation, args, wishes);
  const { text } = args;
  const isText = typeof text === 'string' && Object.keys(args).length === 1;
  const message = {
    messageId: hub.ids.uuid(),
    ...(isText ? { text } : { data: args }),
    metadata: { skillId: candidate.skillId ?? operation },
  };
  return hub.agents.sendMessage(candidate, message, wishes);
}

/** Whether the call itself went out, and whether its connection was cut after that. */
interface Way {
  readonly kind: Asked['kind'];
  readonly isSent: boolean;
  readonly isCut: boolean;
}

function endingOf(hub: Hub, underWay: CallUnderWay, response: AgentResponse, way: Way): Ending {
  const { candidate } = underWay;
  switch (response.kind) {
    case 'result': {
      const { result } = response;
      if (tooDeep(result)) {
        return {
          end: 'refused',
          message: 'Its answer is nested deeper than readers go.',
          isFault: true,
        };
      }
      if (response.isError) return { end: 'refused', message: failureSays(result), isFault: false };
      return { end: 'served', result, empty: saysNothing(candidate.kind, result) };
    }
    case 'quote':
      return quoted(hub, underWay, response, way);
    case 'key-needed':
      return {
        end: 'key-needed',
        message: `${response.message} It needs a key, and the hub sends none.`,
      };
    case 'refused':
      return { end: 'refused', message: response.message, isFault: false };
    case 'failed':
      return brokenBy(response.reason, response.message, way);
  }
}

/** A quote, and the way on the chain of the call's network in which the hub would pay it. */
function quoted(
  { chains, settings }: Hub,
  { candidate, receipt }: CallUnderWay,
  { quote, ways, status }: Extract<AgentResponse, { readonly kind: 'quote' }>,
  { isSent, kind }: Way,
): Ending {
  const { network } = receipt;
  const facts = settings.x402PayUpstream === undefined ? undefined : chains.facts(network);
  // A quote of anything but the call itself, such as of its opening, would be paid in vain.
  const isOfCall =
    isSent && kind === 'tool' && candidate.hosted === undefined && candidate.transport !== 'sse';
  const way = facts === undefined || !isOfCall ? undefined : wayOn(ways, facts);
  const place = status === 402 ? 'header' : candidate.kind === 'mcp' ? 'meta' : undefined;
  if (way === undefined || place === undefined) {
    return { end: 'quoted', ...(quote !== undefined && { price: quote.price }) };
  }
  const price = { amount: way.amount, asset: ASSET, network, payTo: way.payTo };
  return { end: 'quoted', price, way: { ...way, place } };
}

function brokenBy(reason: string, message: string, { isSent, isCut }: Omit<Way, 'kind'>): Ending {
  if (NOT_CALLED.includes(reason)) return { end: 'not-called', message };
  if (BAD_ANSWER.includes(reason)) return { end: 'refused', message, isFault: true };
  return { end: 'broken', message, sent: isSent && (isCut || !NOT_SENT.includes(reason)) };
}
