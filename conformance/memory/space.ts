import type { Agent, Answer } from '../harness/agents.ts';
import { mustOk } from '../harness/must.ts';

/** Paths and calls that the suites of memory share. */
export const MEMORY = '/api/v1/memory';
export const SPACES = `${MEMORY}/spaces`;

let names = 0;

type Fields = Readonly<Record<string, unknown>>;

export interface MadeSpace {
  readonly id: string;
  readonly path: string;
}

export async function makeSpace(
  owner: Agent,
  kind: 'private' | 'shared' = 'private',
  more: Fields = {},
): Promise<MadeSpace> {
  names += 1;
  const body = { owner: owner.account, name: `space-${names}`, kind, ...more };
  const id = String(mustOk(await owner.post(SPACES, body))['id']);
  return { id, path: `${SPACES}/${id}` };
}

export function writeNote(
  author: Agent,
  space: MadeSpace,
  content: string,
  more: Fields = {},
): Promise<Answer> {
  return author.post(MEMORY, { author: author.account, spaceId: space.id, content, ...more });
}

export function searchNotes(reader: Agent, space: MadeSpace, more: Fields): Promise<Answer> {
  return reader.post(`${MEMORY}/search`, {
    reader: reader.account,
    spaceId: space.id,
    ...more,
  });
}

export function grantTo(
  owner: Agent,
  space: MadeSpace,
  grantee: string,
  more: Fields = {},
): Promise<Answer> {
  const body = { owner: owner.account, spaceId: space.id, grantee, ...more };
  return owner.post(`${MEMORY}/grants`, body);
}

/** Contents of what was found, in its order. */
export async function found(answer: Promise<Answer>): Promise<readonly string[]> {
  const results = mustOk(await answer)['results'] as readonly { readonly content: string }[];
  return results.map(({ content }) => content);
}

export async function spendable(of: Agent): Promise<bigint> {
  return BigInt(String(mustOk(await of.get(`/api/v1/wallet/${of.account}`))['spendable']));
}

/** Returns the cost of a call for its caller. */
export async function costOf(of: Agent, call: () => Promise<unknown>): Promise<bigint> {
  const before = await spendable(of);
  await call();
  return before - (await spendable(of));
}

/** Numbers that a failure can be repeated with. */
export function vectors(seed: number, dimensions = 768): () => number[] {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  return () => Array.from({ length: dimensions }, next);
}

export function cosineDistance(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, n) => sum + value * (y[n] ?? 0), 0);
  return 1 - dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
