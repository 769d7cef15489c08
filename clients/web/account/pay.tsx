import { useState } from 'preact/hooks';
import { follow, type Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { unitsOf, usdc } from '../format.ts';
import { useAction } from '../load.ts';
import { AmountField, Field, SureForm } from '../parts/fields.tsx';
import { Section } from '../parts/shown.tsx';
import { Failure } from '../parts/states.tsx';
import { keptCalls, useDraft } from '../session.ts';
import { T } from '../texts.ts';
import { accountTexts } from '../texts/account.ts';
import type { OwnProps } from './own.ts';

const FAUCET_UNITS = '1000000';

/** Test money, where the network has a faucet; a refusal of the hub says where it has none. */
export function Faucet({
  hub,
  account,
  wallet: { network },
  changed,
  isMain = false,
}: OwnProps & { readonly isMain?: boolean }) {
  const action = useAction();
  const [message, setMessage] = useState('');
  if (network === 'base') return null;
  const ask = (): void =>
    action.run(async () => {
      const params = { path: { owner: account } };
      const body = { amount: FAUCET_UNITS, network };
      const { amount, leftToday } = unwrap(
        await hub.POST('/api/v1/wallet/{owner}/credit', { params, body }),
      );
      setMessage(accountTexts.faucet.done(usdc(amount), usdc(leftToday)));
      changed();
    });
  return (
    <Section title={accountTexts.faucet.title} lead={accountTexts.faucet.lead}>
      <button type="button" class={isMain ? 'main' : ''} onClick={ask} aria-busy={action.isRunning}>
        {accountTexts.faucet.ask(usdc(FAUCET_UNITS))}
      </button>
      <p role="status">{message}</p>
      {action.error !== undefined && <Failure error={action.error} />}
    </Section>
  );
}

/** Pays another account, in two steps: what was typed is shown once more before it moves. */
export function Pay({ hub, account, wallet, changed }: OwnProps) {
  const [to, setTo] = useDraft('pay to');
  const [amount, setAmount] = useDraft('pay amount');
  const [memo, setMemo] = useDraft('pay memo');
  const [message, setMessage] = useState('');
  const units = unitsOf(amount);
  const { network } = wallet;
  const pay = async (): Promise<void> => {
    if (units === undefined) return;
    const params = { path: { owner: account } };
    const body = { to: to.trim(), amount: units, network, ...(memo !== '' && { memo }) };
    const paid = unwrap(await hub.POST('/api/v1/wallet/{owner}/pay', { params, body }));
    setMessage(accountTexts.pay.done(usdc(paid.amount), paid.to));
    for (const set of [setTo, setAmount, setMemo]) set('');
    changed();
  };
  return (
    <Section title={accountTexts.pay.title}>
      <SureForm
        label={accountTexts.pay.pay}
        question={accountTexts.pay.sure(usdc(units ?? '0'), T.unit(network), to.trim())}
        yes={accountTexts.pay.yes}
        isOff={units === undefined || to.trim() === ''}
        isMain
        work={pay}
      >
        <Field
          label={accountTexts.pay.to}
          value={to}
          onInput={setTo}
          hint={accountTexts.pay.toHint}
        />
        <AmountField
          label={accountTexts.pay.amount}
          value={amount}
          onInput={setAmount}
          hint={accountTexts.pay.amountHint(usdc(wallet.spendable))}
        />
        <Field
          label={accountTexts.pay.memo}
          value={memo}
          onInput={setMemo}
          hint={accountTexts.pay.memoHint}
        />
      </SureForm>
      <p role="status">{message}</p>
    </Section>
  );
}

interface UnfinishedProps {
  readonly hub: Hub;
  readonly done: () => void;
}

/** Calls of which no answer came: each is sent again under its own key, which cannot pay twice. */
export function Unfinished({ hub, done }: UnfinishedProps) {
  const action = useAction();
  const pending = keptCalls.pending();
  if (pending.length === 0) return null;
  const finish = (): void =>
    action.run(async () => {
      for (const call of pending) await follow(hub, call);
      done();
    });
  return (
    <Section title={accountTexts.unfinished.title} lead={accountTexts.unfinished.lead}>
      <ul>
        {pending.map(({ path, body }) => (
          <li key={JSON.stringify(body)}>
            <code>{path}</code>
          </li>
        ))}
      </ul>
      <button type="button" class="main" onClick={finish} aria-busy={action.isRunning}>
        {accountTexts.unfinished.finish}
      </button>
      {action.error !== undefined && <Failure error={action.error} />}
    </Section>
  );
}
