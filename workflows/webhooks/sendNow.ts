import type { AttemptResult } from '../../domain/webhooks/attempt.ts';
import type { Message } from '../../domain/webhooks/message.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { admitNow } from '../../server/hub/admission.ts';
import type { Signer } from '../../server/hub/call.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { sendMessage } from './send.ts';

/** Sends a message while its caller waits. Its order among the events is not defined. */
export async function sendNow(
  hub: Hub,
  caller: Signer,
  webhook: Webhook,
  message: Message,
): Promise<AttemptResult> {
  await admitNow(hub, caller);
  const result = await sendMessage(hub, webhook, message);
  return (
    result ??
    refuse('busy', {
      error: 'The hub has too many calls under way and did not send the message.',
      hint: 'Send the call again in a few seconds, with a fresh nonce.',
    })
  );
}
