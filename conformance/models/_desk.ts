import assert from 'node:assert/strict';
import type { Agent, Answer } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { at, mustOk } from '../harness/must.ts';

/** Steps that the suites of the desk share. */
export type Body = Readonly<Record<string, unknown>>;
export const CHAT = '/api/v1/models/chat';
export const RECEIPTS = '/api/v1/models/receipts';
export const HELLO = [{ role: 'user', content: 'Say three words.' }];

export function chat(agent: Agent, more: Body = {}): Promise<Answer> {
  const body = { model: 'acme/small', messages: HELLO, max_tokens: 100, ...more };
  return agent.post(CHAT, { caller: agent.account, ...body });
}

export async function receiptsOf(agent: Agent): Promise<readonly Body[]> {
  return mustOk(await agent.get(RECEIPTS))['receipts'] as readonly Body[];
}

export async function moneyOf(agent: Agent): Promise<{ spendable: bigint; held: bigint }> {
  const wallet = mustOk(await agent.get(`/api/v1/wallet/${agent.account}`));
  const held = BigInt(String(at(wallet, 'held', 'total')));
  return { spendable: BigInt(String(wallet['spendable'])), held };
}

/** Held is charged plus returned, exactly, and the balance fell by what was charged. */
export function mustAddUp(receipt: unknown): void {
  const [held, charged, returned] = ['held', 'charged', 'returned'].map((name) =>
    BigInt(String(at(receipt, name))),
  );
  assert.equal(held, (charged ?? 0n) + (returned ?? 0n), JSON.stringify(receipt));
}

export async function mintKey(agent: Agent): Promise<string> {
  const path = `/api/v1/wallet/${agent.account}/api-keys`;
  return String(mustOk(await agent.post(path, {}))['key']);
}

export interface SseEvent {
  readonly event?: string;
  readonly data: string;
}

export function eventsIn(text: string): readonly SseEvent[] {
  return text
    .split('\n\n')
    .filter((block) => block.includes('data: '))
    .map((block) => {
      const event = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1] ?? '';
      return { ...(event !== undefined && { event }), data };
    });
}

/** A call of the compatible door, its headers as given. */
export async function compat(
  world: Fixture,
  path: string,
  key: string | undefined,
  body?: unknown,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const headers = {
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...more,
  };
  const method = body === undefined ? 'GET' : 'POST';
  return world.anyone.send(
    new Request(new URL(path, world.hub.url), {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
}

/** A refusal in the nested form, whole. */
export function mustRefuseCompat(answer: Answer, status: number, code: string): Body {
  const error = at(answer.body, 'error') as Body | undefined;
  assert.deepEqual([answer.status, error?.['code']], [status, code], answer.text);
  assert.ok(String(error?.['message']).length > 0);
  assert.match(String(error?.['hint']), new RegExp(`/errors/${code}$`));
  return error ?? {};
}

/** The job of a killed hub is another's after ten seconds, and it runs each ten. */
const UNTIL_MS_MAX = 40_000;
/** Waits for something that another process or a socket brings about, not for time. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + UNTIL_MS_MAX; performance.now() < end;) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail('it did not come about');
}
