import type { components } from '../../../generated/types.ts';
import { milliseconds, shortAccount } from '../format.ts';
import { Account, Facts, Money } from '../parts/shown.tsx';
import { receiptTexts as R } from '../texts/receipts.ts';
import { sentenceOf } from './sentence.ts';

type Receipt = components['schemas']['CallReceipt'];

/** The receipt of a call as one sentence, with its details folded below. */
export function CallReceipt({ receipt }: { readonly receipt: Receipt }) {
  const { id, at, operation, durationMs, cost, network, paidTo, responseHash } = receipt;
  const to = paidTo === undefined ? '' : shortAccount(paidTo);
  return (
    <>
      <p class="receipt">{sentenceOf({ amount: cost, network, to, what: operation, at })}.</p>
      <details>
        <summary>{R.details}</summary>
        <Facts
          rows={[
            [R.took, milliseconds(durationMs)],
            [R.cost, <Money key="cost" units={cost} network={network} />],
            [R.paidTo, paidTo === undefined ? undefined : <Account key="to" name={paidTo} />],
            [R.digest, responseHash === undefined ? undefined : <code>{responseHash}</code>],
            [R.id, <code key="id">{id}</code>],
          ]}
        />
      </details>
    </>
  );
}
