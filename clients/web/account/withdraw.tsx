import { unwrap } from '../../typescript/refusal.ts';
import { unitsOf, usdc } from '../format.ts';
import { useLoad, type Loaded } from '../load.ts';
import { Id } from '../parts/copy.tsx';
import { AmountField, Field, Once, SureForm } from '../parts/fields.tsx';
import { evmProblem } from '../parts/problems.ts';
import { Facts, Money, Section, Time } from '../parts/shown.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import { Empty, Failure, With } from '../parts/states.tsx';
import { usePress } from '../press.ts';
import { useDraft } from '../session.ts';
import { PayoutWallet } from '../signin/payoutWallet.tsx';
import { custodyTexts as C } from '../texts/custody.ts';
import { T } from '../texts.ts';
import type { Got } from '../types.ts';
import type { OwnProps } from './own.ts';

type Withdrawal = Got<'/api/v1/wallet/{owner}/withdrawals'>['withdrawals'][number];
const EVERY_MS = 5_000;

export function Withdraw(props: OwnProps) {
  const { hub, account, wallet } = props;
  const { network, withdrawalTerms: terms } = wallet;
  const params = { path: { owner: account }, query: { network } };
  const list = useLoad(
    `withdrawals ${account} ${network}`,
    async (signal) =>
      unwrap(await hub.GET('/api/v1/wallet/{owner}/withdrawals', { params, signal })).withdrawals,
    EVERY_MS,
  );
  const { automaticEach, automaticDaily, address, coolingUntil } = terms;
  return (
    <Section title={C.withdraw.title} lead={terms.arrives ?? C.withdraw.lead}>
      <Facts
        rows={[
          [C.withdraw.onlyTo, address === undefined ? undefined : <code>{address}</code>],
          [
            C.withdraw.brake,
            automaticEach === undefined || automaticDaily === undefined
              ? undefined
              : C.withdraw.brakeOf(usdc(automaticEach), usdc(automaticDaily)),
          ],
        ]}
      />
      {coolingUntil !== undefined && (
        <p class="note">
          {C.withdraw.cooling} <Time at={coolingUntil} />.
        </p>
      )}
      {terms.available ? (
        <WithdrawForm {...props} done={list.reload} />
      ) : (
        <p class="quiet">{C.withdraw.closed}</p>
      )}
      {terms.available && <PayoutWallet {...props} />}
      <List {...props} list={list} />
    </Section>
  );
}

export function WithdrawForm({
  hub,
  account,
  wallet,
  changed,
  done,
}: OwnProps & { readonly done: () => void }) {
  const { network, spendable, withdrawalTerms } = wallet;
  const { minimum = '0', fee = '0', address: payout } = withdrawalTerms;
  const [typed, setTyped] = useDraft('withdraw to');
  const [amount, setAmount] = useDraft('withdraw amount');
  const address = payout ?? typed.trim();
  const units = unitsOf(amount);
  const isWhole =
    /^0x[0-9a-fA-F]{40}$/.test(address) && units !== undefined && BigInt(units) >= BigInt(minimum);
  const arrives = isWhole ? String(BigInt(units) - BigInt(fee)) : '0';
  const unit = T.unit(network);
  const press = usePress(hub, {
    form: `withdraw ${network}`,
    what: C.withdraw.what(`${usdc(units ?? '0')} ${unit}`),
    work: async (once) => {
      const params = { path: { owner: account } };
      const body = { address, amount: units ?? '0', network };
      unwrap(await once.POST('/api/v1/wallet/{owner}/withdraw', { params, body }));
      for (const set of [setTyped, setAmount]) set('');
      done();
      changed();
    },
  });
  return (
    <SureForm
      label={C.withdraw.withdraw}
      question={C.withdraw.question(
        `${usdc(units ?? '0')} ${unit}`,
        address,
        `${usdc(arrives)} ${unit}`,
      )}
      yes={C.withdraw.yes}
      isOff={!isWhole}
      press={press}
    >
      {payout === undefined && (
        <Field
          label={C.withdraw.address}
          of="body.address"
          value={typed}
          onInput={setTyped}
          hint={C.withdraw.addressHint}
          problem={evmProblem(typed)}
        />
      )}
      <AmountField
        label={C.withdraw.amount}
        of="body.amount"
        value={amount}
        onInput={setAmount}
        hint={C.withdraw.amountHint(usdc(minimum), usdc(fee), usdc(spendable))}
      />
      <p role="status">{isWhole && C.withdraw.arrives(`${usdc(arrives)} ${unit}`)}</p>
    </SureForm>
  );
}

type ListProps = OwnProps & { readonly list: Loaded<readonly Withdrawal[]> };

function List({ list, ...own }: ListProps) {
  return (
    <>
      <h3>{C.withdraw.list}</h3>
      <With of={list}>
        {(withdrawals) =>
          withdrawals.length === 0 ? (
            <Empty>{C.withdraw.none}</Empty>
          ) : (
            <ul class="rows">
              {withdrawals.map((each) => (
                <li key={each.id}>
                  <OneWithdrawal {...own} withdrawal={each} done={list.reload} />
                </li>
              ))}
            </ul>
          )
        }
      </With>
    </>
  );
}

interface OneProps extends OwnProps {
  readonly withdrawal: Withdrawal;
  readonly done: () => void;
}

export function OneWithdrawal({ withdrawal, hub, account, changed, done }: OneProps) {
  const { id, state, stage, amount, fee, network, address, recallable, txHash } = withdrawal;
  const { waitsForOperator, expectedAt, requestedAt, failureReason } = withdrawal;
  const press = usePress(hub, {
    form: `recall ${id}`,
    what: C.withdraw.recallOf(usdc(amount)),
    work: async (once) => {
      const params = { path: { owner: account, id } };
      unwrap(await once.POST('/api/v1/wallet/{owner}/withdrawals/{id}/cancel', { params }));
      done();
      changed();
    },
  });
  return (
    <>
      <p class="meta">
        <StateBadge of="movement" state={state} />
        <Money units={amount} network={network} />
        {stage !== undefined && <span>{C.movement.stages[stage]}</span>}
        <Time at={requestedAt} />
        {expectedAt !== undefined && (
          <span>
            {C.movement.expected} <Time at={expectedAt} />
          </span>
        )}
      </p>
      <p class="quiet">
        {C.withdraw.paidTo} <Id text={address} />
      </p>
      {txHash !== undefined && (
        <p class="quiet">
          {C.movement.transaction} <Id text={txHash} />
        </p>
      )}
      {fee !== '0' && (
        <p class="quiet">{C.withdraw.arrives(usdc(String(BigInt(amount) - BigInt(fee))))}</p>
      )}
      {waitsForOperator === true && <p class="note">{C.withdraw.operator}</p>}
      {failureReason !== undefined && <p class="quiet">{failureReason}</p>}
      <Once press={press}>
        {recallable && (
          <button
            type="button"
            class="small"
            onClick={() => press.run()}
            aria-busy={press.isRunning}
          >
            {C.withdraw.recall}
          </button>
        )}
        {press.error !== undefined && <Failure error={press.error} />}
      </Once>
    </>
  );
}
