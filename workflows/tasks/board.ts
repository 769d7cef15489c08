import {
  decideOrder,
  lockOrder,
  waitingOrders,
  type BoardOrder,
} from '../../db/tasks/boardOrders.ts';
import type { Writer } from '../../db/store.ts';
import type { AcceptanceRule } from '../../domain/acceptance/rule.ts';
import { defined } from '../../domain/defined.ts';
import { parseInstant } from '../../domain/instant.ts';
import { parseAtomic } from '../../domain/money.ts';
import { BOARD_ACCOUNT } from '../../domain/tasks/model.ts';
import { publish } from '../../domain/tasks/publish.ts';
import type { operations } from '../../generated/types.ts';
import { HUB_ASKS } from '../kernel/checks/checks.ts';
import { HubError, refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { networkNamed } from '../wallet/network.ts';
import { ruleIn } from './acceptance.ts';
import { publishInside } from './commit.ts';
import { orRefuse } from './refuse.ts';
import { draftOf, type PublishBody } from './draft.ts';

const EACH_RUN_MAX = 20;

type WireBody = operations['tasks.publish']['requestBody']['content']['application/json'];

/** Publishes what the operator put on the board; what cannot be published keeps the reason. */
export async function publishBoard(hub: Hub): Promise<void> {
  const waiting = await hub.store.readOne((db) => waitingOrders(db, EACH_RUN_MAX));
  for (const order of waiting) {
    try {
      await publishOrder(hub, order);
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      const why = error.message;
      await hub.store.write((tx) => decideOrder(tx, order.id, { state: 'refused', why }));
    }
  }
}

async function publishOrder(hub: Hub, order: BoardOrder): Promise<void> {
  const body = bodyOf(order);
  const rule = body.acceptance && ruleIn(await hub.checks.compile(body.acceptance, HUB_ASKS));
  await hub.store.write((tx) => publishOne(tx, hub, { order, body, rule }));
}

async function publishOne(
  tx: Writer,
  hub: Hub,
  { order, body, rule }: Readable & { readonly order: BoardOrder },
): Promise<void> {
  if (!(await lockOrder(tx, order.id))) return;
  const at = hub.clock.now();
  const network = networkNamed(hub, body.network, 'body.network');
  const change = orRefuse(publish(draftOf(body, network, rule), hub.ids.uuid(), at));
  await publishInside(tx, hub, change, { actor: BOARD_ACCOUNT, at });
  await decideOrder(tx, order.id, { state: 'published', taskId: change.task.id });
}

interface Readable {
  readonly body: PublishBody;
  readonly rule: AcceptanceRule | undefined;
}

/** The command held the text against the contract before it was written. */
function bodyOf(order: BoardOrder): PublishBody {
  const given = JSON.parse(order.body) as Omit<WireBody, 'requester'>;
  const { rewardAmount, deadline, files, offeredTo, ...wire } = given;
  if (files !== undefined) {
    refuse('wrong-owner', { error: 'The board has no files of its own.', field: 'body.files' });
  }
  if (offeredTo !== undefined) {
    refuse('bad-request', { error: 'The board is open to all.', field: 'body.offeredTo' });
  }
  const reward = rewardAmount === undefined ? undefined : parseAtomic(rewardAmount);
  const until = deadline === undefined ? undefined : parseInstant(deadline);
  return {
    ...wire,
    requester: BOARD_ACCOUNT,
    ...defined({ rewardAmount: reward, deadline: until }),
  };
}
