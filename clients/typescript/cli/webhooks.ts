import { unwrap, type paths } from '../index.ts';
import type { Success } from '../routes.ts';
import {
  countOf,
  isSet,
  runVerb,
  textOf,
  UsageError,
  wordsOf,
  type Call,
  type Command,
  type ExitCode,
  type Verb,
} from './command.ts';
import { openSession } from './session.ts';
import { facts, show, table } from './show.ts';
import { defined } from '../../../domain/defined.ts';

type Webhook = Success<paths['/api/v1/me/webhooks']['get']>['webhooks'][number];
type Delivery = Success<paths['/api/v1/me/webhooks/{id}/deliveries']['get']>['deliveries'][number];

const VERBS: Readonly<Record<string, Verb>> = {
  list,
  add,
  show: showOne,
  test,
  deliveries,
  resend,
  replay,
  rotate,
  pause: (call) => setState(call, 'paused'),
  resume: (call) => setState(call, 'active'),
  delete: remove,
};

export const webhooks: Command = {
  usage: 'webhooks list|add|show|test|deliveries|resend|replay|rotate|pause|resume|delete',
  summary: 'pushes the events of the account to your server',
  options: {
    type: { type: 'string', multiple: true },
    after: { type: 'string' },
    outcome: { type: 'string' },
    limit: { type: 'string' },
    now: { type: 'boolean' },
  },
  help: `hub webhooks list            your webhooks and their state
hub webhooks add URL         pushes events to an https address; prints its secret this once
  --type KIND                only events of this kind, such as task or money.in; may be repeated
  --after CURSOR             begins there, 0 is the oldest event; otherwise with the next event
hub webhooks show ID         one webhook: its public key, its place and what waits
hub webhooks test ID         sends a test message now; exit 0 when it was answered with 2xx
hub webhooks deliveries ID   its attempts, newest first; --outcome delivered|failed|dead, --limit N
hub webhooks resend ID DELIVERY   sends a message again, such as a dead letter
hub webhooks replay ID CURSOR     sends the events behind that place again; now skips what waits
hub webhooks rotate ID       makes new keys; the old ones count for 24 hours, with --now no longer
hub webhooks pause ID, hub webhooks resume ID, hub webhooks delete ID
`,
  run: (call) => runVerb('webhooks', VERBS, call, 'list'),
};

async function list(call: Call): Promise<ExitCode> {
  wordsOf(call);
  const { hub } = await openSession(call);
  const { webhooks: found } = unwrap(await hub.GET('/api/v1/me/webhooks'));
  show(call, found, () => {
    if (found.length === 0) return 'There is none. next: hub webhooks add URL\n';
    const rows = found.map(({ id, state, waiting, failures, url }) => [
      id,
      state,
      waiting,
      failures,
      url,
    ]);
    return table(call.io, ['webhook', 'state', 'waiting', 'failures', 'url'], rows);
  });
  return 0;
}

async function add(call: Call): Promise<ExitCode> {
  const [url = ''] = wordsOf(call, 'URL');
  const { type } = call.values;
  const types = Array.isArray(type) ? type.map(String) : [];
  const after = textOf(call, 'after');
  const { hub } = await openSession(call);
  const body = { url, types, ...defined({ after }) };
  return showWebhook(call, unwrap(await hub.POST('/api/v1/me/webhooks', { body })));
}

async function showOne(call: Call): Promise<ExitCode> {
  const [id = ''] = wordsOf(call, 'ID');
  const { hub } = await openSession(call);
  const params = { query: { id } };
  const { webhooks: found } = unwrap(await hub.GET('/api/v1/me/webhooks', { params }));
  const [webhook] = found;
  if (webhook === undefined) throw new Error(`The hub has no webhook ${id}.`);
  return showWebhook(call, webhook);
}

async function test(call: Call): Promise<ExitCode> {
  const [id = ''] = wordsOf(call, 'ID');
  const { hub } = await openSession(call);
  const params = { path: { id } };
  return showDelivery(call, unwrap(await hub.POST('/api/v1/me/webhooks/{id}/test', { params })));
}

async function deliveries(call: Call): Promise<ExitCode> {
  const [id = ''] = wordsOf(call, 'ID');
  const given = textOf(call, 'outcome');
  const outcome = (['delivered', 'failed', 'dead'] as const).find((known) => known === given);
  if (given !== undefined && outcome === undefined) {
    throw new UsageError('--outcome is one of delivered, failed, dead');
  }
  const limit = countOf(call, 'limit') ?? 50;
  const { hub } = await openSession(call);
  const query = { limit, ...defined({ outcome }) };
  const params = { path: { id }, query };
  const answer = unwrap(await hub.GET('/api/v1/me/webhooks/{id}/deliveries', { params }));
  const { deliveries: found } = answer;
  show(call, found, () => {
    if (found.length === 0) return 'There is none.\n';
    const headings = ['delivery', 'at', 'kind', 'outcome', 'attempt', 'status', 'fault'];
    return table(
      call.io,
      headings,
      found.map(({ id: delivery, at, kind, outcome: end, attempt, status, fault }) => [
        delivery,
        at,
        kind,
        end,
        attempt,
        status,
        fault,
      ]),
    );
  });
  return 0;
}

async function resend(call: Call): Promise<ExitCode> {
  const [id = '', deliveryId = ''] = wordsOf(call, 'ID', 'DELIVERY');
  const { hub } = await openSession(call);
  const given = { params: { path: { id } }, body: { deliveryId } };
  return showDelivery(call, unwrap(await hub.POST('/api/v1/me/webhooks/{id}/test', given)));
}

async function replay(call: Call): Promise<ExitCode> {
  const [id = '', after = ''] = wordsOf(call, 'ID', 'CURSOR');
  const { hub } = await openSession(call);
  const given = { params: { path: { id } }, body: { after } };
  return showWebhook(call, unwrap(await hub.POST('/api/v1/me/webhooks/{id}/update', given)));
}

async function rotate(call: Call): Promise<ExitCode> {
  const [id = ''] = wordsOf(call, 'ID');
  const rotateSecret = isSet(call, 'now') ? 'now' : 'overlap';
  const { hub } = await openSession(call);
  const given = { params: { path: { id } }, body: { rotateSecret } } as const;
  return showWebhook(call, unwrap(await hub.POST('/api/v1/me/webhooks/{id}/update', given)));
}

async function setState(call: Call, state: 'active' | 'paused'): Promise<ExitCode> {
  const [id = ''] = wordsOf(call, 'ID');
  const { hub } = await openSession(call);
  const given = { params: { path: { id } }, body: { state } };
  return showWebhook(call, unwrap(await hub.POST('/api/v1/me/webhooks/{id}/update', given)));
}

async function remove(call: Call): Promise<ExitCode> {
  const [id = ''] = wordsOf(call, 'ID');
  const { hub } = await openSession(call);
  const params = { path: { id } };
  const gone = unwrap(await hub.POST('/api/v1/me/webhooks/{id}/delete', { params }));
  show(call, gone, () => `deleted ${gone.url}\n`);
  return 0;
}

function showWebhook(call: Call, webhook: Webhook): ExitCode {
  show(call, webhook, () =>
    facts(call.io, [
      ['webhook', webhook.id],
      ['url', webhook.url],
      ['kinds', webhook.types.length === 0 ? 'all' : webhook.types.join(' ')],
      ['state', webhook.state],
      ['why', webhook.why],
      ['public key', webhook.publicKey],
      ['secret', webhook.secret],
      ['former key', webhook.previousPublicKey],
      ['until', webhook.previousUntil],
      ['cursor', webhook.cursor],
      ['waiting', webhook.waiting],
      ['failures', webhook.failures],
      ['next attempt', webhook.nextAttemptAt],
      ['dropped', webhook.dropped],
    ]),
  );
  return 0;
}

/** Exit 1 says that the message was not taken. */
function showDelivery(call: Call, delivery: Delivery): ExitCode {
  const { id, outcome, status, fault, durationMs } = delivery;
  show(call, delivery, () =>
    facts(call.io, [
      ['delivery', id],
      ['outcome', outcome],
      ['status', status],
      ['fault', fault],
      ['took', `${durationMs} ms`],
    ]),
  );
  return outcome === 'delivered' ? 0 : 1;
}
