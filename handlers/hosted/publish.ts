import { readPassport } from '../../db/passport/passports.ts';
import { defined } from '../../domain/defined.ts';
import { shorten } from '../../domain/text.ts';
import { cleanLine } from '../../domain/registry/text.ts';
import type { Call, JsonAnswer } from '../../workflows/kernel/call.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { rename } from '../../workflows/hosted/rename.ts';
import { admitNow } from '../../workflows/kernel/admission.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { dialAgent, presentDial, type Dialled } from '../../workflows/hosted/dial.ts';
import { listAgent } from '../../workflows/hosted/list.ts';
import { payingNetwork } from '../../workflows/metering/charge.ts';
import { mustOwn, mustOwnLive, ownPassport } from '../../workflows/passport/own.ts';
import { offerGiven, routeGiven, toolsGiven } from '../../workflows/hosted/given.ts';
import { railOf } from '../../workflows/x402/rail.ts';
import { presentListed } from './present.ts';
import { encode } from '../../workflows/kernel/encode.ts';

type PublishCall = Call<'hosted.publish'>;

/**
 * Dials the endpoint, and lists it when every tool on offer is there. The dial is outside of any
 * unit of work; what it saw is judged inside, so a repeat gets its first answer all the same.
 */
export const publish: Handler<'hosted.publish'> = async (call, hub) => {
  const { caller } = call;
  const body = offerGiven(call.body);
  if (body === undefined) return { status: 200, body: await renamed(call, hub) };
  const { keyId, network: named } = body;
  const network = await hub.store.read((db) => payingNetwork(hub, db, named, 'body.network'));
  const tools = toolsGiven(body);
  if (keyId !== caller.keyId) {
    await hub.store.read((db) => mustOwnLive(db, caller, keyId, hub.clock.now()));
  }
  const given = routeGiven(hub, body);
  await admitNow(hub, caller);
  const dialled = await dialAgent(hub, given, tools);
  const { protocolVersion, transport = given.transport, latencyMs, offers } = dialled;
  const rail = await railOf(hub, network);
  const route = { ...given, transport, ...defined({ protocolVersion }) };
  const answer = await hub.once(call, async (tx) => {
    await ownPassport(tx, hub, caller, keyId);
    mustStand(dialled);
    const passport = await readPassport(tx, keyId);
    const name = cleanLine(body.name ?? passport?.displayName, 120) ?? shorten(keyId, 120);
    const offer = { account: caller.account, route, name, network, tools: offers, latencyMs, rail };
    return presentListed(hub, caller.account, await listAgent(tx, hub, offer), dialled);
  });
  return { status: 200, body: answer };
};

/** Gives a listing that stands another name; nothing is dialled. */
function renamed(call: PublishCall, hub: Hub): Promise<JsonAnswer<'hosted.publish'>> {
  const { keyId, name = '' } = call.body;
  return hub.once(call, async (tx) => {
    await mustOwn(tx, call.caller, keyId, 'body.keyId');
    const agent = await rename(tx, hub, keyId, cleanLine(name, 120) ?? refuseName());
    return presentListed(hub, call.caller.account, { agent, relisted: true });
  });
}

function refuseName(): never {
  return refuse('bad-request', {
    error: 'The name has no character that a reader sees.',
    hint: 'Send a name of letters or digits, at most 120 characters.',
    field: 'body.name',
  });
}

/** The fee is for a listing that stands: nothing is charged before everything on offer was seen. */
function mustStand(dialled: Dialled): void {
  const { fault, steps } = dialled;
  if (fault === undefined) return;
  const mend = steps.find(({ outcome }) => outcome === 'failed')?.mend;
  refuse(fault.kind === 'tools' ? 'tool-not-offered' : 'endpoint-not-dialable', {
    error: fault.says,
    ...(mend !== undefined && { hint: `${mend} Nothing was charged; \`dial\` has every step.` }),
    field: fault.kind === 'tools' ? 'body.tools' : 'body.endpoint',
    dial: encode('HostedDial', presentDial(dialled)),
  });
}
