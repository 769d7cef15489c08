import type { components } from '../../../generated/types.ts';
import { count, milliseconds } from '../format.ts';
import { Facts, Money } from '../parts/shown.tsx';
import { sentenceOf } from '../receipts/sentence.ts';
import { chatTexts as C } from '../texts/chat.ts';
import { glossary } from '../texts/glossary.ts';
import { receiptTexts as R } from '../texts/receipts.ts';

export type Receipt = components['schemas']['ModelReceipt'];

/** A model call as one sentence, with its usage and cost below: held is charged plus returned. */
export function ReceiptOf({ receipt }: { readonly receipt: Receipt }) {
  const { id, at, model, outcome, reason, usage, held, charged, returned, network } = receipt;
  const { durationMs, firstTokenMs, servedBy } = receipt;
  const paid = { amount: charged, network, to: C.desk, what: model, at };
  const money = (units: string) => <Money units={units} network={network} />;
  return (
    <div class={outcome === 'failed' ? 'failure' : 'good'} role="status">
      <p class="receipt">{sentenceOf(paid)}.</p>
      <p class="quiet">
        <span>{C.outcomes[outcome]}</span>
        {reason !== undefined && <> · {reason}</>}
      </p>
      <details>
        <summary>{R.details}</summary>
        <Facts
          terms={glossary}
          rows={[
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
      </details>
    </div>
  );
}
