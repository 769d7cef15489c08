import type { IncomingMessage, ServerResponse } from 'node:http';
import { unwrap } from '../typescript/index.ts';
import { beFunded, NETWORK, onEach, type ScriptedAgent } from './agents.ts';
import { bodyOf, openServer, type Endpoint } from './endpoint.ts';
import { rulingOn, verdictOn } from './script.ts';

/** The judges' endpoints, real ones on this machine, and what a seat does besides judging. */
export const openEndpoint = (): Promise<Endpoint> => openServer('/verdict', answer);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const verdict = verdictOn(titleOf(await bodyOf(request)));
  // Nothing is said: to the hub a dropped connection is a judge that does not answer.
  if (verdict === 'silent') return void response.destroy();
  const reason = verdict === 'accepted' ? 'The script accepts.' : 'The title asked me to reject.';
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ verdict, reason }));
}

function titleOf(body: unknown): string {
  const isCase = typeof body === 'object' && body !== null && 'title' in body;
  return isCase ? String(body.title) : '';
}

/** A judge of markets needs a stake; this one is enough on a network of test money. */
const STAKE = '100000';

/** Takes a seat with a stake, or gives the hub its new endpoint after a restart. */
export async function takeValidatorSeat(me: ScriptedAgent, endpoint: Endpoint): Promise<void> {
  const { hub, account } = me;
  await beFunded(me);
  const body = { account, endpoint: endpoint.url, network: NETWORK, stake: STAKE };
  unwrap(await hub.POST('/api/v1/validators', { body }));
}

export async function runValidator({ hub, account }: ScriptedAgent): Promise<void> {
  const query = { arbiter: account };
  const { disputes } = unwrap(await hub.GET('/api/v1/disputes', { params: { query } }));
  await onEach(disputes, async ({ taskId: id, reason }) => {
    const verdict = rulingOn(reason);
    if (verdict === 'silent') return;
    const body = { by: account, verdict, resolution: 'By the words of the dispute.' };
    unwrap(await hub.POST('/api/v1/tasks/{id}/arbitrate', { params: { path: { id } }, body }));
  });
}
