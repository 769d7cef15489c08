import { networkNamed } from '../../workflows/wallet/network.ts';
import { insertEvents, saveTable, unfinishedOf } from '../../db/poker/tables.ts';
import { lockWorker } from '../../db/tasks/links.ts';
import type { Account } from '../../domain/account.ts';
import { openTable, type NewTable } from '../../domain/poker/opening.ts';
import { Session } from '../../domain/poker/session.ts';
import { TABLES_PER_CREATOR_MAX } from '../../domain/poker/table.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import type { Call } from '../../server/hub/call.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { CLOCK_TOPIC } from '../../workflows/poker/commit.ts';
import { tableSecrets } from '../../workflows/poker/secrets.ts';
import { presentTable } from './present.ts';

/** Free, and it seats nobody; the first commitment stands from the first moment. */
export const create: Handler<'poker.create'> = async (call, hub) => {
  const wanted = wantedOf(hub, call.body, call.caller.account);
  const table = await hub.act(call, async (tx) => {
    await lockWorker(tx, wanted.creator);
    if ((await unfinishedOf(tx, wanted.creator)) >= TABLES_PER_CREATOR_MAX) {
      refuse('ceiling-reached', {
        error: `An account has at most ${TABLES_PER_CREATOR_MAX} unfinished tables that it created.`,
        hint: 'A table closes by itself when nobody sits at it for 30 minutes.',
      });
    }
    const opened = openTable(wanted, hub.ids.uuid(), hub.clock.now(), tableSecrets(hub).fresh());
    if ('refused' in opened) {
      const { refused, why, field } = opened;
      return refuse(refused, { error: why, field });
    }
    const session = new Session(opened, hub.clock.now(), tableSecrets(hub));
    session.emit('created');
    await saveTable(tx, session.table);
    await insertEvents(tx, session.table.id, session.events);
    tx.publish(CLOCK_TOPIC);
    return session.table;
  });
  return { status: 200, body: presentTable(hub, table) };
};

function wantedOf(hub: Hub, body: Call<'poker.create'>['body'], creator: Account): NewTable {
  const shared = {
    creator,
    network: networkNamed(hub, body.network, 'body.network'),
    seats: body.seats,
    ...(body.actSeconds !== undefined && { actSeconds: body.actSeconds }),
    ...(body.name !== undefined && { name: body.name }),
  };
  if (body.format === 'sng') return { ...shared, format: 'sng', buyIn: body.buyIn };
  const { bigBlind, smallBlind, minBuyIn, maxBuyIn } = body;
  return {
    ...shared,
    format: 'cash',
    bigBlind: BigInt(bigBlind),
    ...(smallBlind !== undefined && { smallBlind: BigInt(smallBlind) }),
    ...(minBuyIn !== undefined && { minBuyIn }),
    ...(maxBuyIn !== undefined && { maxBuyIn }),
  };
}
