import { defined } from '../../domain/defined.ts';
import type { CrawlStep, CrawlStepOutcome, CrawlStepName } from '../../domain/registry/target.ts';
import type { Exchange, ConnectionRefused } from '../kernel/hub.ts';

/** How an exchange reads in a report: its outcome, what was seen, and what its operator can do. */
type End = Exchange['end'];
type ProbeEnd = Pick<CrawlStep, 'outcome' | 'detail' | 'durationMs'> &
  Partial<Pick<CrawlStep, 'status' | 'fix'>>;

type Fixable = 'timeout' | 'forbidden' | 'unreachable' | 'malformed';
const FIXES: Readonly<Record<Fixable, string>> &
  Readonly<Partial<Record<CrawlStepOutcome, string>>> = {
  timeout: 'Answer within 10 seconds.',
  forbidden: 'Serve it at a public address over https.',
  unreachable: 'Check the name, the port and the certificate from outside your own network.',
  malformed: 'Answer JSON-RPC 2.0 as application/json or text/event-stream.',
};

/** Returns the step of a request; undefined for those that a report leaves out. */
export function stepOf(method: string): CrawlStepName | undefined {
  switch (method) {
    case 'server/discover':
      return 'discover';
    case 'initialize':
    case 'GET':
      return 'initialize';
    case 'tools/list':
      return 'tools';
    case 'GetTask':
    case 'tasks/get':
      return 'call';
    default:
      // A called tool is noted with its verdict, and a notification has none.
      return undefined;
  }
}

export function probeEnd(end: End, shut: ConnectionRefused | undefined): ProbeEnd {
  if (end.kind === 'failed') return failedEnd(end);
  const { status } = end;
  const durationMs = Math.round(end.durationMs);
  if (shut === undefined) return { outcome: 'ok', status, detail: 'It answered.', durationMs };
  const outcome = outcomeOf(shut, status);
  const fix = FIXES[outcome];
  const detail = shut.message === '' ? `It answered ${status}.` : shut.message;
  return { outcome, status, detail, ...defined({ fix }), durationMs };
}

export function outcomeOf(shut: ConnectionRefused, status: number): CrawlStepOutcome {
  switch (shut.kind) {
    case 'quote':
      return 'quoted';
    case 'key-needed':
      return 'key-needed';
    case 'refused':
      return status === 404 && shut.rpcCode === undefined ? 'not-found' : 'refused';
    case 'failed':
      return shut.reason === 'malformed' ? 'malformed' : 'refused';
  }
}

function failedEnd({ reason, message }: Extract<End, { kind: 'failed' }>): ProbeEnd {
  switch (reason) {
    case 'timeout':
      return { outcome: 'timeout', detail: message, fix: FIXES.timeout, durationMs: 0 };
    case 'refused-url':
    case 'refused-address':
      return { outcome: 'forbidden', detail: message, fix: FIXES.forbidden, durationMs: 0 };
    case 'refused-request':
      return { outcome: 'skipped', detail: message, durationMs: 0 };
    case 'protocol':
    case 'too-large':
    case 'too-many-redirects':
    case 'bad-redirect':
      return { outcome: 'malformed', detail: message, durationMs: 0 };
    case 'dns':
    case 'connect':
    case 'tls':
    case 'busy':
    case 'cancelled':
      return { outcome: 'unreachable', detail: message, fix: FIXES.unreachable, durationMs: 0 };
  }
}
