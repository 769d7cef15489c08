import { useState } from 'preact/hooks';
import { follow, type Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { unitsOf, usdc } from '../format.ts';
import { useAction } from '../load.ts';
import { AmountField, Field, Once, SureForm } from '../parts/fields.tsx';
import { accountProblem } from '../parts/problems.ts';
import { Section } from '../parts/shown.tsx';
import { Failure } from '../parts/states.tsx';
import { usePress } from '../press.ts';
import { useDraft } from '../session.ts';
import { unansweredOf } from '../unanswered.ts';
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
  const [message, setMessage] = useState('');
  const press = usePress(hub, {
    form: `faucet ${network}`,
    what: accountTexts.faucet.what(usdc(FAUCET_UNITS)),
    work: async (once) => {
      const params = { path: { owner: account } };
      const body = { amount: FAUCET_UNITS, network };
      const { amount, leftToday } = unwrap(
        await once.POST('/api/v1/wallet/{owner}/credit', { params, body }),
      );
      setMessage(accountTexts.faucet.done(usdc(amount), usdc(leftToday)));
      changed();
    },
  });
  if (network === 'base') return null;
  return (
    <Section title={accountTexts.faucet.title} lead={accountTexts.faucet.lead}>
      <Once press={press}>
        <button
          type="button"
          class={isMain ? 'main' : ''}
          onClick={() => press.run()}
          aria-busy={press.isRunning}
        >
          {accountTexts.faucet.ask(usdc(FAUCET_UNITS))}
        </button>
        {press.error !== undefined && <Failure error={press.error} />}
      </Once>
      <p role="status">{message}</p>
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
  const press = usePress(hub, {
    form: 'pay',
    what: accountTexts.pay.what(usdc(units ?? '0')),
    work: async (once) => {
      const params = { path: { owner: account } };
      const amount = units ?? '0';
      const body = { to: to.trim(), amount, network, ...(memo !== '' && { memo }) };
      const paid = unwrap(await once.POST('/api/v1/wallet/{owner}/pay', { params, body }));
      setMessage(accountTexts.pay.done(usdc(paid.amount), paid.to));
      for (const set of [setTo, setAmount, setMemo]) set('');
      changed();
    },
  });
  return (
    <Section title={accountTexts.pay.title}>
      <SureForm
        label={accountTexts.pay.pay}
        question={accountTexts.pay.sure(usdc(units ?? '0'), T.unit(network), to.trim())}
        yes={accountTexts.pay.yes}
        isOff={units === undefined || to.trim() === ''}
        isMain
        press={press}
      >
        <Field
          label={accountTexts.pay.to}
          of="body.to"
          value={to}
          onInput={setTo}
          hint={accountTexts.pay.toHint}
          problem={accountProblem(to)}
        />
        <AmountField
          label={accountTexts.pay.amount}
          of="body.amount"
          value={amount}
          onInput={setAmount}
          hint={accountTexts.pay.amountHint(usdc(wallet.spendable))}
        />
        <Field
          label={accountTexts.pay.memo}
          of="body.memo"
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
  const pending = unansweredOf(hub.account ?? '').flatMap(([key, { what, call }]) =>
    call === undefined ? [] : [{ key, what, call }],
  );
  if (pending.length === 0) return null;
  const finish = (): void =>
    action.run(async () => {
      for (const { call } of pending) await follow(hub, call);
      done();
    });
  return (
    <Section title={accountTexts.unfinished.title} lead={accountTexts.unfinished.lead}>
      <ul>
        {pending.map(({ key, what, call }) => (
          <li key={key}>
            {what} <code>{call.path}</code>
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
