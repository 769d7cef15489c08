import { defined } from '../defined.ts';
import type { Instant } from '../instant.ts';
import type { AccessClass, ListedSkill, ToolVerdict } from './listing.ts';
import type { Quote } from './readQuote.ts';
import type { ReadTool } from './readTools.ts';
import { cut } from '../text.ts';

/** The result of a tool call; unprobed tools stay unknown, and none is presented as open. */
export interface Called {
  readonly verdict: Exclude<ToolVerdict, 'not-called'>;
  readonly message: string;
  readonly quote?: Quote;
  readonly isX402?: boolean;
  readonly durationMs: number;
  readonly at: Instant;
}

const ACCESS: Readonly<Record<Called['verdict'], AccessClass>> = {
  served: 'open',
  quoted: 'paid',
  'key-needed': 'auth-required',
  refused: 'closed',
  // It shows an error of this time, not which callers it admits.
  failed: 'unknown',
};

/** A tool as it is listed: measured now, or as it was measured before if it is the same tool. */
export function skillOfTool(
  tool: ReadTool,
  called: Called | undefined,
  before: ListedSkill | undefined,
): ListedSkill {
  const described = {
    id: tool.name,
    name: tool.name,
    description: tool.description,
    tags: [],
    ...defined({ inputSchema: tool.inputSchema, outputSchema: tool.outputSchema }),
    descriptorHash: tool.descriptorHash,
  };
  if (called !== undefined) {
    return {
      ...described,
      access: ACCESS[called.verdict],
      accessCheckedAt: called.at,
      verdict: called.verdict,
      why: cut(called.message, 400),
      durationMs: called.durationMs,
      ...(called.quote !== undefined && { price: called.quote.price }),
    };
  }
  if (before?.descriptorHash === tool.descriptorHash && before.accessCheckedAt !== undefined) {
    const { access, accessCheckedAt, verdict, why, durationMs, price } = before;
    return {
      ...described,
      access,
      accessCheckedAt,
      verdict,
      why,
      ...defined({ durationMs, price }),
    };
  }
  const why = tool.notCalled ?? 'It was not its turn yet; each look calls a few tools only.';
  return { ...described, access: 'unknown', verdict: 'not-called', why: cut(why, 400) };
}

const CALLS_MAX = 10;
const CALL_AGAIN_MS = 20 * 3_600_000;

/** `due`: called longest ago, and not lately; `now`: the same, however lately; `none`: nothing. */
export type ToolSelection = 'due' | 'now' | 'none';

/** The tools to call in this look: those never called first, then the ones called longest ago. */
export function toolsToCall(
  tools: readonly ReadTool[],
  before: ReadonlyMap<string, ListedSkill>,
  now: Instant,
  turn: ToolSelection,
): readonly ReadTool[] {
  if (turn === 'none') return [];
  const calledAt = ({ name, descriptorHash }: ReadTool): number => {
    const known = before.get(name);
    return known?.descriptorHash === descriptorHash ? (known.accessCheckedAt ?? 0) : 0;
  };
  return tools
    .filter(({ notCalled }) => notCalled === undefined)
    .filter((tool) => turn === 'now' || now - calledAt(tool) >= CALL_AGAIN_MS)
    .sort((a, b) => calledAt(a) - calledAt(b))
    .slice(0, CALLS_MAX);
}

/** The class of a server that opened without key and price, from what its tools answered. */
export function doorAccess(skills: readonly ListedSkill[]): {
  readonly access: AccessClass;
  readonly accessNote?: string;
} {
  const seen = new Set(skills.map(({ verdict }) => verdict));
  if (seen.has('served')) return { access: 'open' };
  if (seen.has('quoted')) return { access: 'paid' };
  if (seen.has('key-needed')) {
    const accessNote = 'Its door opens to everybody; the tools that were called asked for a key.';
    return { access: 'auth-required', accessNote };
  }
  const accessNote = seen.has('refused')
    ? 'Inferred: its door opens to everybody; the tools that were called without arguments refused.'
    : 'Inferred: it listed its tools without key or price; the hub has called none of them.';
  return { access: 'open', accessNote };
}

const ASKS_FOR_KEY =
  /\b(unauthori[sz]ed|unauthenticated|not authenticated|authentication required|forbidden|api[ _-]?key|access token|auth(entication|orization)? token|log ?in first|credentials?)\b/i;

/** Whether the text of a failed call asks for a key, as many servers do in place of a 401. */
export function asksForKey(text: string): boolean {
  return ASKS_FOR_KEY.test(text.slice(0, 4_000));
}
