import { defined } from '../../domain/defined.ts';
import type { HostedRoute, HostedTool } from '../../domain/hosted/agent.ts';
import { compareTools } from '../../domain/hosted/tools.ts';
import type { Instant } from '../../domain/instant.ts';
import { readTools, type ReadTool } from '../../domain/registry/readTools.ts';
import { cut } from '../../domain/text.ts';
import type { Schemas } from '../kernel/answered.ts';
import type { Exchange, Hub, McpSession } from '../kernel/hub.ts';
import { probeEnd } from '../registry/probeStep.ts';
import { toolPages } from '../registry/reportedMetadata.ts';
import { addressOfRoute, clientOf, forwarding } from './forward.ts';

/**
 * Calls an endpoint as a compiler reads a program: each step with its outcome, and the one thing to
 * mend. Untrusted hosts decide how it ends, so every end is a value.
 */
type Step = Schemas['HostedDialStep'];

export interface Dialled {
  readonly at: Instant;
  readonly durationMs: number;
  readonly httpStatus?: number;
  readonly protocolVersion?: string;
  readonly transport?: string;
  readonly toolsSeen: number;
  readonly missing: readonly string[];
  readonly steps: readonly Step[];
  /** How the tools are listed: as they were given, with what the endpoint knows of them. */
  readonly offers: readonly HostedTool[];
  /** Absent when everything stands. */
  readonly fault?: { readonly kind: 'unreachable' | 'tools'; readonly says: string };
  /** Milliseconds of the first answer that listed tools. */
  readonly latencyMs: number;
}

/** Work of a caller with the session while it is open. */
export type InSession = (session: McpSession, tools: readonly ReadTool[]) => Promise<void>;

const DIAL_MS_MAX = 20_000;
const REQUEST_MS_MAX = 8_000;
const TOOLS_BYTES_MAX = 2_097_152;

export async function dialAgent(
  hub: Hub,
  route: HostedRoute,
  tools: readonly HostedTool[],
  inSession?: InSession,
): Promise<Dialled> {
  const [at, startedAt] = [hub.clock.now(), hub.clock.elapsedMs()];
  const exchanges: Exchange[] = [];
  const wishes = forwarding(route, {
    limits: { totalMs: REQUEST_MS_MAX, bytesMax: TOOLS_BYTES_MAX },
    signal: AbortSignal.timeout(DIAL_MS_MAX),
    onExchange: (exchange) => exchanges.push(exchange),
  });
  const client = clientOf(hub, route);
  const { transport, protocolVersion: known } = route;
  const door = { endpoint: addressOfRoute(route), transport };
  const opening = await client.openMcp({ ...door, ...defined({ protocolVersion: known }) }, wishes);
  const ended = (): Pick<Dialled, 'at' | 'durationMs'> => {
    return { at, durationMs: Math.max(0, Math.round(hub.clock.elapsedMs() - startedAt)) };
  };
  if (opening.kind === 'shut') {
    const steps = handshakeSteps(exchanges, false);
    return { ...ended(), ...nothing(exchanges), steps, fault: faultOf(steps, opening.end.message) };
  }
  const { session } = opening;
  try {
    const before = handshakeSteps(exchanges, true);
    const listed = await toolPages(session);
    const read = readTools(listed.pages).tools;
    const { protocolVersion } = session;
    const spoken = { protocolVersion, transport: session.transport };
    const list = listStep(read.length, listed);
    if (!listed.isWhole) {
      const steps = [...before, list];
      return { ...ended(), ...nothing(exchanges), ...spoken, steps, fault: faultOf(steps) };
    }
    const compared = compareTools(tools, read);
    const steps = [...before, list, ...compared.map(toolStep)];
    const missing = compared.filter(({ outcome }) => outcome === 'failed').map(({ tool }) => tool);
    await inSession?.(session, read);
    return {
      ...ended(),
      ...nothing(exchanges),
      ...spoken,
      latencyMs: listed.latencyMs,
      toolsSeen: read.length,
      missing,
      steps,
      offers: compared.flatMap(({ offer }) => offer ?? []),
      ...(missing.length > 0 && { fault: missingFault(missing, read) }),
    };
  } finally {
    await session.close();
  }
}

type Nothing = Pick<Dialled, 'httpStatus' | 'toolsSeen' | 'missing' | 'offers' | 'latencyMs'>;

function nothing(exchanges: readonly Exchange[]): Nothing {
  const last = exchanges.findLast(({ end }) => end.kind === 'answer')?.end;
  return {
    ...(last?.kind === 'answer' && { httpStatus: last.status }),
    toolsSeen: 0,
    missing: [],
    offers: [],
    latencyMs: 0,
  };
}

/** Resolving and connecting show in how the first exchange ended; the last one is the handshake. */
function handshakeSteps(exchanges: readonly Exchange[], isOpen: boolean): readonly Step[] {
  const [first] = exchanges;
  const reason = first?.end.kind === 'failed' ? first.end.reason : undefined;
  const end = first?.end.kind === 'failed' ? first.end.message : '';
  const fail = (step: Step['step'], mend: string): Step => {
    return { step, outcome: 'failed', says: cut(end, 400), mend };
  };
  if (reason === 'dns' || reason === 'refused-url' || reason === 'refused-address') {
    return [
      fail('resolve', 'Name a host that leads to a public address, https unless it is yours.'),
    ];
  }
  const resolved: Step = { step: 'resolve', outcome: 'ok', says: 'The address may be called.' };
  if (reason === 'connect' || reason === 'tls' || reason === 'busy') {
    const mend =
      reason === 'tls'
        ? 'Serve a certificate that public clients accept, for this name.'
        : 'Start the server, open its port, or connect out with `hubctl host`.';
    return [resolved, fail('connect', mend)];
  }
  const connected: Step = { step: 'connect', outcome: 'ok', says: 'It took the connection.' };
  const last = exchanges.findLast(({ method }) => !method.startsWith('notifications/'));
  if (last === undefined) return [resolved];
  const { detail, fix, durationMs } = probeEnd(last.end, last.shut);
  const mend =
    fix ?? 'Answer `initialize` or `server/discover` of MCP over streamable HTTP with 200.';
  const handshake: Step = isOpen
    ? { step: 'handshake', outcome: 'ok', says: 'It speaks MCP.', durationMs }
    : { step: 'handshake', outcome: 'failed', says: cut(detail, 400), mend, durationMs };
  return [resolved, connected, handshake];
}

function listStep(
  count: number,
  listed: { readonly isWhole: boolean; readonly message: string; readonly latencyMs: number },
): Step {
  const durationMs = listed.latencyMs;
  if (listed.isWhole) {
    return { step: 'list', outcome: 'ok', says: `It lists ${count} tools.`, durationMs };
  }
  const mend = 'Answer `tools/list` without a key, page after page, within 8 seconds.';
  return { step: 'list', outcome: 'failed', says: cut(listed.message, 400), mend, durationMs };
}

function toolStep(compared: ReturnType<typeof compareTools>[number]): Step {
  const { tool, outcome, says, mend } = compared;
  return {
    step: 'tool',
    tool,
    outcome,
    says: cut(says, 400),
    ...(mend && { mend: cut(mend, 400) }),
  };
}

function faultOf(steps: readonly Step[], message = ''): NonNullable<Dialled['fault']> {
  const failed = steps.find(({ outcome }) => outcome === 'failed');
  const says = failed === undefined ? message : `${failed.step}: ${failed.says}`;
  return { kind: 'unreachable', says: cut(says, 400) };
}

function missingFault(
  missing: readonly string[],
  read: readonly ReadTool[],
): NonNullable<Dialled['fault']> {
  const has = read.slice(0, 10).map(({ name }) => name);
  const says = `The endpoint lists ${has.join(', ') || 'no tool'}; it has no tool ${missing[0]}.`;
  return { kind: 'tools', says: cut(says, 400) };
}

export function presentDial(dialled: Dialled): Schemas['HostedDial'] {
  const { at, durationMs, httpStatus, protocolVersion, toolsSeen, missing, steps } = dialled;
  return {
    at,
    durationMs,
    httpStatus,
    ...(protocolVersion !== undefined && { protocolVersion: cut(protocolVersion, 32) }),
    toolsSeen,
    toolsMissing: missing,
    steps: steps.slice(0, 120),
  };
}
