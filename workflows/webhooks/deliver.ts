import { insertDelivery } from '../../db/webhooks/deliveries.ts';
import {
  claimWebhook,
  releaseWebhook,
  saveProgress,
  type Claim,
} from '../../db/webhooks/webhooks.ts';
import { noteEvent } from '../../db/wallet/accountEvents.ts';
import { defined } from '../../domain/defined.ts';
import { instant } from '../../domain/instant.ts';
import { afterAttempt, faultOf, type AttemptResult } from '../../domain/webhooks/attempt.ts';
import type { Message } from '../../domain/webhooks/message.ts';
import { wants, type Webhook } from '../../domain/webhooks/webhook.ts';
import type { Hub } from '../kernel/hub.ts';
import { behind, eventsPage, type Happening } from '../wallet/events.ts';
import { endedWithKey } from './endOfKey.ts';
import { messageOf, sendMessage, sequenceOf } from './send.ts';

/** Longer than any attempt: a webhook is claimed again only when its process was killed. */
const CLAIM_MS = 60_000;
/** Messages and pages of one turn, so that webhooks with many events take turns with the others. */
const MESSAGES_A_TURN = 20;
const PAGES_A_TURN = 20;
const PAGE = 50;

/**
 * Sends events to one webhook in order, until all are sent, one fails or its turn is over; each is
 * recorded by itself, so after a kill it is sent again under the same id.
 *
 * @returns false if the hub gave the attempt up
 */
export async function deliverTo(hub: Hub, id: string): Promise<boolean> {
  const claim = hub.ids.uuid();
  const now = hub.clock.now();
  const claimed = await hub.store.write((tx) => claimWebhook(tx, id, renewed(hub, claim), now));
  if (claimed === undefined) return true;
  try {
    return await deliver(hub, claimed, claim);
  } finally {
    await hub.store.write((tx) => releaseWebhook(tx, id, claim));
  }
}

function renewed(hub: Hub, claim: string): Claim {
  return { claim, until: instant(hub.clock.now() + CLAIM_MS) };
}

async function deliver(hub: Hub, claimed: Webhook, claim: string): Promise<boolean> {
  const { account } = claimed;
  let webhook = claimed;
  let sent = 0;
  for (let pages = 0; pages < PAGES_A_TURN; pages += 1) {
    if (await endedWithKey(hub, webhook)) return true;
    const { cursor, dropped: before } = webhook;
    const page = await hub.store.read((db) => eventsPage(db, account, cursor, PAGE));
    const dropped = before + page.dropped;
    const first = { ...cursor, events: cursor.events + page.dropped };
    webhook = { ...webhook, cursor: first, dropped };
    for (const happening of failedFirst(webhook, page.happenings)) {
      const next = behind(webhook.cursor, [happening]);
      const message = messageOf(account, happening);
      if (!wants(webhook, message.kind)) {
        webhook = { ...webhook, cursor: next };
        continue;
      }
      const result = await sendMessage(hub, webhook, message);
      if (result === undefined) return false;
      const after = afterAttempt(webhook, result, hub.clock.now(), chanceOf(hub));
      const { outcome, isSettled, ...change } = after;
      const attempt = { result, message, outcome, number: webhook.failures + 1 };
      const [failedSequence] = sequenceOf(happening);
      webhook = { ...webhook, ...change, failedSequence, ...(isSettled && { cursor: next }) };
      const isSaved = await record(hub, webhook, claim, attempt);
      sent += 1;
      const goesOn = outcome === 'delivered' && sent < MESSAGES_A_TURN;
      if (!isSaved || !goesOn) return true;
    }
    const read = {
      ...webhook,
      cursor: page.happenings.length === 0 ? page.cursor : webhook.cursor,
    };
    webhook = read;
    const isSaved = await hub.store.write((tx) => saveProgress(tx, read, renewed(hub, claim)));
    if (!isSaved || !page.more) return true;
  }
  return true;
}

/** An event that failed stays the next one, so that its attempts are counted together. */
function failedFirst(
  { failures, failedSequence }: Webhook,
  happenings: readonly Happening[],
): readonly Happening[] {
  if (failures === 0) return happenings;
  const place = happenings.findIndex((each) => sequenceOf(each)[0] === failedSequence);
  return place < 1
    ? happenings
    : [...happenings.slice(place, place + 1), ...happenings.toSpliced(place, 1)];
}

function chanceOf(hub: Hub): number {
  return (hub.random(1)[0] ?? 0) / 255;
}

interface Attempt {
  readonly result: AttemptResult;
  readonly message: Message;
  readonly outcome: 'delivered' | 'failed' | 'dead';
  readonly number: number;
}

/** Records an attempt. Returns false if the webhook was changed or deleted meanwhile. */
async function record(
  hub: Hub,
  webhook: Webhook,
  claim: string,
  { result, message, outcome, number }: Attempt,
): Promise<boolean> {
  const { id: webhookId, account, state, why } = webhook;
  const at = hub.clock.now();
  return hub.store.write(async (tx) => {
    if (!(await saveProgress(tx, webhook, renewed(hub, claim)))) return false;
    await insertDelivery(tx, {
      id: hub.ids.uuid(),
      webhookId,
      account,
      messageId: message.id,
      kind: message.kind,
      outcome,
      attempt: number,
      ...defined({ status: result.status, fault: faultOf(result) }),
      durationMs: result.durationMs,
      at,
      body: message.body,
    });
    if (state === 'disabled' && why !== undefined) {
      noteEvent(tx, [account], { at, kind: 'webhook.disabled', subjectId: webhookId, state });
    }
    return true;
  });
}
