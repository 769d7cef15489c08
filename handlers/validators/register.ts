import { lockSeats, saveSeat, seatedAt } from '../../db/validators/seats.ts';
import type { Writer } from '../../db/store.ts';
import { defined } from '../../domain/defined.ts';
import { hostPair } from '../../domain/outbound/hostAllowList.ts';
import type { Target } from '../../domain/outbound/target.ts';
import { takeSeat } from '../../domain/validators/register.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Call } from '../../workflows/kernel/call.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { presentOwnSeat } from './present.ts';
import { displace, isDrawn } from '../../workflows/validators/displace.ts';
import { holdStake } from '../../workflows/validators/stake.ts';
import { JUDGE_CALLS_TOPIC } from '../../workflows/topics.ts';

/** Seats at once if the stake can be held; a synthetic case follows (choices validators.probes). */
export const register: Handler<'validators.register'> = async (call, hub) => {
  const body = await hub.once(call, (tx) => seated(tx, hub, call.body));
  return { status: 200, body };
};

async function seated(tx: Writer, hub: Hub, body: Call<'validators.register'>['body']) {
  const now = hub.clock.now();
  const { account, network: named } = body;
  const network = networkNamed(hub, named, 'body.network');
  const target = callable(hub, body.endpoint);
  const endpointHost = hostOf(target);
  const other = await seatedAt(tx, endpointHost, account);
  const seats = await lockSeats(tx, other === undefined ? [account] : [account, other]);
  const before = seats.find((seat) => seat.account === account);
  const request = {
    account,
    endpoint: target.url,
    endpointHost,
    ...defined({ skill: body.skill, minFeeBps: body.minFeeBps, stake: body.stake }),
    ...(named !== undefined && { network }),
  };
  const taken = takeSeat(before, request, { id: hub.ids.uuid(), network, now });
  if ('refused' in taken) {
    const { refused, why, field } = taken;
    return refuse(refused, { error: why, ...defined({ field }) });
  }
  const there = seats.find((seat) => seat.account === other);
  if (there?.state === 'seated' && there.endpointHost === endpointHost) {
    await displace(tx, hub, there, account);
  }
  const staked = await holdStake(tx, hub, taken, before);
  const seat = { ...taken, ...defined({ holdId: staked.holdId }) };
  await saveSeat(tx, seat, before);
  if (seat.probe.at !== undefined) tx.publish(JUDGE_CALLS_TOPIC);
  return {
    ...presentOwnSeat(seat, await isDrawn(tx, account)),
    ...defined({ transferId: staked.transferId }),
  };
}

/** Only an address that could never be dialled is refused; whether it answers is tried later. */
function callable(hub: Hub, endpoint: string): Target {
  const verdict = hub.outbound.judge(endpoint);
  if (verdict.ok) return verdict.target;
  return refuse('endpoint-refused', { error: verdict.message, field: 'body.endpoint' });
}

/** The unit that may have one seat: a host with all its ports; an opened host with its port. */
function hostOf({ host, port, opened }: Target): string {
  return opened ? hostPair(host, port) : host;
}
