import type { components } from '../../../generated/types.ts';
import { count, milliseconds } from '../format.ts';
import { Facts, Money } from '../parts/shown.tsx';
import { chatTexts as C } from '../texts/chat.ts';

export type Receipt = components['schemas']['ModelReceipt'];

/** Shows usage and cost of a model call; held is charged plus returned, exactly. */
export function ReceiptOf({ receipt }: { readonly receipt: Receipt }) {
  const { id, outcome, reason, usage, held, charged, returned, network } = receipt;
  const { durationMs, firstTokenMs, servedBy } = receipt;
  const money = (units: string) => <Money units={units} network={network} />;
  return (
    <div class={outcome === 'failed' ? 'failure' : 'good'} role="status">
      <p>
        <strong>{C.receipt}</strong> {reason}
      </p>
      <Facts
        rows={[
          [C.outcome, C.outcomes[outcome]],
          [C.tokens, C.tokensOf(count(usage.inputTokens), count(usage.outputTokens))],
          [C.held, money(held)],
          [C.charged, money(charged)],
          [C.returned, money(returned)],
          [C.took, milliseconds(durationMs)],
          [C.first, firstTokenMs === undefined ? undefined : milliseconds(firstTokenMs)],
          [C.servedBy, servedBy],
          [C.id, <code key="id">{id}</code>],
        ]}
      />
    </div>
  );
}
