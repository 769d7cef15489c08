import type { Agent } from '../../harness/agents.ts';
import { plain } from '../../harness/agents.ts';
import type { DeclaredOperation } from '../../harness/contract.ts';
import { ignoredAuth, send } from './checks.ts';
import { ownerOf, type Case } from './generate.ts';
import { moved, targetOf, unsigned } from './requests.ts';
import type { FuzzFixture } from './fixture.ts';

/** The ways of asking without authority, and a replay. Each is refused with its own reason. */
export interface Asked {
  readonly fixture: FuzzFixture;
  readonly operation: DeclaredOperation;
  readonly whole: Case;
}

/** Past the window by more than clocks differ; `signatures` asks for its edge to the second. */
const AGE_SECONDS = 310;
const ELSEWHERE = '/api/v1/wallet/hub:demand/summary';

export function signedAs(agent: Agent, { operation, whole }: Asked): Promise<Request> {
  return agent.signed(operation.method, targetOf(operation, whole), whole.body);
}

export async function refusesUnsigned(asked: Asked): Promise<void> {
  const request = await signedAs(asked.fixture.alice, asked);
  await ignoredAuth(await send(asked.operation, unsigned(request)), 'unsigned');
  const garbage = [{ signature: 'sig1=:AAAA:' }, { 'signature-input': 'sig1=()' }];
  for (const headers of garbage) {
    await ignoredAuth(await send(asked.operation, unsigned(request, headers)), 'unsigned');
  }
}

export async function refusesMoved(asked: Asked): Promise<void> {
  const { operation, whole, fixture } = asked;
  const { method } = operation;
  const here = await signedAs(fixture.alice, asked);
  const query = targetOf(operation, whole).split('?')[1];
  const elsewhere = await fixture.alice.signed(
    method,
    query === undefined ? ELSEWHERE : `${ELSEWHERE}?${query}`,
    whole.body,
  );
  await ignoredAuth(await send(operation, moved(elsewhere, here)), 'unknown-key');
  const otherMethod = await fixture.alice.signed(
    method === 'GET' ? 'POST' : 'PUT',
    targetOf(operation, whole),
    whole.body,
  );
  await ignoredAuth(await send(operation, moved(otherMethod, here)), 'unknown-key');
  const longer = new Request(`${here.url}${query === undefined ? '?' : '&'}more=1`, here.clone());
  const why = query === undefined ? 'incomplete-coverage' : 'unknown-key';
  await ignoredAuth(await send(operation, longer), why);
  if (method === 'GET') {
    // The answer to HEAD has no body to name the reason in.
    const head = await send(
      { ...operation, method: 'HEAD' },
      new Request(here, { method: 'HEAD' }),
    );
    // A read that is charged is not asked for without its body.
    const refused = operation.raw['x-charge'] === undefined ? 401 : 405;
    if (head.answer.status !== refused) {
      throw new Error(`HEAD of ${operation.operationId} took a GET`);
    }
  } else {
    const body = `${await here.clone().text()} `;
    const swapped = new Request(here.url, { method, headers: here.headers, body });
    const code = whole.body === undefined ? 'incomplete-coverage' : 'digest-mismatch';
    await ignoredAuth(await send(operation, swapped), code);
  }
}

/** Sends the same request twice; the first one reaches the handler and so spends the nonce. */
export async function refusesReplay(asked: Asked): Promise<void> {
  const request = await signedAs(asked.fixture.alice, asked);
  await send(asked.operation, request);
  await ignoredAuth(await send(asked.operation, request), 'replayed');
}

export async function refusesStale(asked: Asked): Promise<void> {
  const { fixture, operation, whole } = asked;
  const { url, clock } = fixture.world.hub;
  for (const seconds of [AGE_SECONDS, -AGE_SECONDS]) {
    const place = { url, clock: { now: () => clock.now() - seconds * 1000 } };
    const alice = fixture.aliceAt(place);
    const request = await alice.signed(operation.method, targetOf(operation, whole), whole.body);
    await ignoredAuth(await send(operation, request), 'stale');
  }
}

/** Bob's signature is good; it is no authority over what belongs to alice. */
export async function refusesOtherOwner(asked: Asked): Promise<void> {
  if (ownerOf(asked.operation) === undefined) return;
  const request = await signedAs(asked.fixture.bob, asked);
  await ignoredAuth(await send(asked.operation, request), 'wrong-owner');
}

/** A visitor's request of an operation that takes unsigned callers as well, or only these. */
export function asVisitor({ fixture, operation, whole }: Asked): Request {
  return plain(fixture.world.hub, operation.method, targetOf(operation, whole), whole.body);
}
