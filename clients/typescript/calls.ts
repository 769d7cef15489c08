import { callLines } from './table.ts';

/** How the contract says a call is made; the client signs, keeps keys and retries by it. */
export interface CallKind {
  readonly auth: 'public' | 'signed' | 'optional' | 'api-key';
  /** Where the key stands that makes it once-only; undefined where it takes none. */
  readonly once: 'body' | 'header' | undefined;
  /** Answers with events or lines, so the answer is not awaited whole. */
  readonly stream: boolean;
}

/** A call that this version of the contract lacks: signed when a key is there, never sent twice. */
const UNKNOWN: CallKind = { auth: 'optional', once: undefined, stream: true };

interface Route {
  readonly method: string;
  readonly segments: readonly string[];
  readonly kind: CallKind;
}

const AUTH_MODES: readonly CallKind['auth'][] = ['public', 'signed', 'optional', 'api-key'];

export type CallKinds = (method: string, path: string) => CallKind;

export function readCalls(): CallKinds {
  const routes = callLines.map(parse).sort((a, b) => parameterCount(a) - parameterCount(b));
  return (method, path) => {
    const segments = path.split('/');
    return (
      routes.find((route) => route.method === method && fits(route, segments))?.kind ?? UNKNOWN
    );
  };
}

function parse(line: string): Route {
  const [method = '', path = '', mode = '', ...flags] = line.split(' ');
  const auth = AUTH_MODES.find((known) => known === mode) ?? 'optional';
  const header = flags.includes('keyed') ? ('header' as const) : undefined;
  const once = flags.includes('once') ? ('body' as const) : header;
  return {
    method,
    segments: path.split('/'),
    kind: { auth, once, stream: flags.includes('stream') },
  };
}

function parameterCount({ segments }: Route): number {
  return segments.filter((segment) => segment.startsWith('{')).length;
}

function fits({ segments }: Route, given: readonly string[]): boolean {
  return (
    segments.length === given.length &&
    segments.every((segment, at) =>
      segment.startsWith('{') ? given[at] !== '' : segment === given[at],
    )
  );
}
