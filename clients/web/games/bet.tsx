import { useId, useState } from 'preact/hooks';
import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { firstMoney, isCredit } from '../account/firstMoney.ts';
import { Faucet } from '../account/pay.tsx';
import { percent, shareOf, unitsOf, usdc } from '../format.ts';
import { AmountField, SureForm } from '../parts/fields.tsx';
import { usePress } from '../press.ts';
import { useDraft } from '../session.ts';
import { T } from '../texts.ts';
import { marketTexts as M } from '../texts/markets.ts';
import type { Market, Me } from '../types.ts';
import { cents, projected, type Side } from './payout.ts';

interface BetProps {
  readonly market: Market;
  readonly hub: Hub;
  readonly own: string;
  /** Absent for an account that the first bet makes. */
  readonly wallet: Me['wallet'] | undefined;
  readonly done: () => void;
}

const STAKES = ['0.05', '0.25', '1.00'] as const;
const STAKE_MIN = 10_000n;

export function Bet({ market, hub, own, wallet, done }: BetProps) {
  const [side, setSide] = useState<Side>('yes');
  const [amount, setAmount] = useDraft(`bet ${market.id}`);
  const units = unitsOf(amount);
  const unit = T.unit(market.network);
  const back = units === undefined ? undefined : backOf(market, side, units);
  const press = usePress(hub, {
    form: `bet ${market.id}`,
    what: M.betOf(`${usdc(units ?? '0')} ${unit}`),
    work: async (once, lost) => {
      const { network } = market;
      if (wallet === undefined || isCredit(lost))
        await firstMoney(once, { owner: own, network, units: units ?? '0' });
      const params = { path: { id: market.id } };
      // The shown price is agreed to, even when another bet arrives in between.
      const body = { side, amount: units ?? '0', minPayout: back ?? '0' };
      unwrap(await once.POST('/api/v1/games/predictions/markets/{id}/bet', { params, body }));
      setAmount('');
      done();
    },
  });
  if (wallet !== undefined && isPoor(wallet, market) && press.unanswered === undefined) {
    return <Faucet hub={hub} account={own} wallet={wallet} changed={done} isMain />;
  }
  return (
    <SureForm
      isMain
      label={M.bet}
      question={M.betQuestion(
        `${usdc(units ?? '0')} ${unit}`,
        M.sides[side],
        `${usdc(back ?? '0')} ${unit}`,
      )}
      yes={M.betYes}
      isOff={units === undefined}
      press={press}
    >
      <SideChoice market={market} side={side} choose={setSide} />
      <AmountField
        label={M.amount}
        of="body.amount"
        value={amount}
        onInput={setAmount}
        hint={wallet === undefined ? T.firstPress : M.amountHint(usdc(wallet.spendable))}
      />
      <p class="actions">
        {STAKES.map((stake) => (
          <button key={stake} type="button" class="small" onClick={() => setAmount(stake)}>
            {stake}
          </button>
        ))}
      </p>
      <p role="status">
        {back !== undefined && M.projected(`${usdc(back)} ${unit}`, M.sides[side])}
      </p>
      {units !== undefined && units !== '0' && <Outcomes market={market} stake={units} />}
    </SureForm>
  );
}

function isPoor({ network, spendable }: Me['wallet'], market: Market): boolean {
  return network === market.network && BigInt(spendable) < STAKE_MIN;
}

/** Returns of the typed stake on each side, on one scale with the stake itself. */
function Outcomes({ market, stake }: { readonly market: Market; readonly stake: string }) {
  const backs = SIDES.map((side) => [side, backOf(market, side, stake)] as const);
  const most = backs.reduce((max, [, back]) => (BigInt(back) > max ? BigInt(back) : max), 1n);
  const share = (units: string): number => shareOf(units, String(most));
  return (
    <table class="outcomes">
      <caption>{M.outcomes(usdc(stake))}</caption>
      <tbody>
        {backs.map(([side, back]) => (
          <tr key={side}>
            <th scope="row">{M.sides[side]}</th>
            <td>
              <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                <rect width={share(back)} height="6" class={side === 'yes' ? 'part0' : 'part1'} />
                <rect width={share(stake)} height="6" class="ground" />
              </svg>
            </td>
            <td class="number">
              {usdc(back)} <small>{M.gain(usdc(String(BigInt(back) - BigInt(stake))))}</small>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const SIDES = ['yes', 'no'] as const;

interface SideProps {
  readonly market: Market;
  readonly side: Side;
  readonly choose: (side: Side) => void;
}

/** The two sides with their part of the pot and what 1 USDC on each would bring back. */
function SideChoice({ market: { sides }, side, choose }: SideProps) {
  const group = useId();
  return (
    <fieldset class="sides">
      <legend>{M.side}</legend>
      {sides.map(({ side: name, potBps, returns }) => (
        <label key={name} class={name}>
          <input
            type="radio"
            name={group}
            checked={name === side}
            onChange={() => choose(name)}
            aria-label={M.sides[name]}
          />
          <b>{M.sides[name]}</b> {potBps !== undefined && percent(potBps / 10_000)}
          {returns !== undefined && <small>{M.returns(cents(returns.after))}</small>}
        </label>
      ))}
    </fieldset>
  );
}

function backOf({ sides, fees, settledBy }: Market, side: Side, stake: string): string {
  const potOf = (name: Side): string => sides.find((each) => each.side === name)?.pot ?? '0';
  const judgeBps = settledBy === 'judge' ? fees.judgeBps : 0;
  return projected({ yes: potOf('yes'), no: potOf('no') }, side, stake, judgeBps);
}
