import type { Account } from '../../domain/account.ts';
import { fieldValue } from '../../domain/httpsig/message.ts';
import { defined } from '../../domain/defined.ts';
import { retryAfterMs, type AttemptResult } from '../../domain/webhooks/attempt.ts';
import { messageId, type Message } from '../../domain/webhooks/message.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import type { Schemas } from '../kernel/answered.ts';
import type { Failed, Hub } from '../kernel/hub.ts';
import type { Happening } from '../wallet/events.ts';
import { presentHappening } from '../wallet/present.ts';
import { signatures } from './keys.ts';
import { encode } from '../kernel/encode.ts';

/** An answer is read only so far that its connection can serve the next message. */
const LIMITS = { totalMs: 15_000, firstByteMs: 15_000, bytesMax: 16_384, redirectsMax: 0 } as const;
const BODY_MS_MAX = 1_000;

/** The sequence that an event is counted in, and its number there. */
export function sequenceOf(happening: Happening): readonly [string, number] {
  return happening.is === 'event'
    ? ['events', happening.event.seq]
    : [happening.network, happening.entry.seq];
}

export function messageOf(account: Account, happening: Happening): Message {
  return written(messageId(account, ...sequenceOf(happening)), presentHappening(happening));
}

export function testMessage(hub: Hub, { id, account }: Webhook, at: string): Message {
  const test = messageId(account, `test ${hub.ids.uuid()}`, 0);
  return written(test, { kind: 'webhook.test', at, webhookId: id });
}

function written(id: string, data: Schemas['AccountEvent']): Message {
  const { kind, at } = data;
  const body = { type: kind, timestamp: at, data, contentIsUntrusted: true } as const;
  return { id, kind, body: JSON.stringify(encode('WebhookMessage', body)) };
}

/** Sends one message through the guard. Returns undefined if the hub closes or is too busy. */
export async function sendMessage(
  hub: Hub,
  webhook: Webhook,
  message: Message,
): Promise<AttemptResult | undefined> {
  const now = hub.clock.now();
  const startedAt = hub.clock.elapsedMs();
  const seconds = Math.floor(now / 1_000);
  const answer = await hub.outbound.stream({
    url: webhook.url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': message.id,
      'webhook-timestamp': `${seconds}`,
      'webhook-signature': signatures(hub, webhook, message, seconds),
    },
    body: Buffer.from(message.body),
    limits: LIMITS,
  });
  const durationMs = (): number => Math.round(hub.clock.elapsedMs() - startedAt);
  if (answer.kind === 'failed') {
    if (answer.reason === 'busy' || answer.reason === 'cancelled') return undefined;
    return { fault: faultIn(answer), durationMs: durationMs() };
  }
  const timer = setTimeout(() => answer.body.cancel(), BODY_MS_MAX);
  for await (const part of answer.body.parts) if (part.kind === 'failed') break;
  clearTimeout(timer);
  const retry = retryAfterMs(fieldValue(answer.headers, 'retry-after'), now);
  return {
    status: answer.status,
    durationMs: durationMs(),
    ...defined({ retryAfterMs: retry }),
  };
}

function faultIn({ reason, message }: Failed): string {
  if (reason !== 'too-many-redirects') return message;
  return 'The address redirects, which is not followed. Give the webhook the final address.';
}
