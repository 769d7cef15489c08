import type { LoadAgent } from './agents.ts';

/** The knowledge that agents share: whom to pay and to work for, and where to play. */
export interface World {
  readonly agents: readonly LoadAgent[];
  readonly agentId: string;
  /** Markets that were opened lately, the newest last, with when they close. */
  readonly markets: { readonly id: string; readonly creator: string; readonly closesAt: number }[];
  readonly tables: readonly string[];
}

export type Activity = (own: LoadAgent, world: World) => Promise<void>;

export function another(own: LoadAgent, { agents }: World): LoadAgent {
  const others = agents.filter((agent) => agent !== own);
  const found = pick(others);
  if (found === undefined) throw new Error('an agent alone has no partner');
  return found;
}

export function pick<T>(list: readonly T[]): T | undefined {
  return list[Math.floor(Math.random() * list.length)];
}

export function between(min: number, max: number): number {
  return min + Math.floor(Math.random() * (max - min + 1));
}
