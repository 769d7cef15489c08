import { useState } from 'preact/hooks';
import { unwrap, type Hub } from '../../typescript/index.ts';
import { unitsOf, usdc } from '../format.ts';
import { AmountField, Choice, SureForm } from '../parts/fields.tsx';
import { useDraft } from '../session.ts';
import { T } from '../texts.ts';
import { marketTexts as M } from '../texts/markets.ts';
import type { Market, Me } from '../types.ts';
import { projected, type Side } from './payout.ts';

interface BetProps {
  readonly market: Market;
  readonly hub: Hub;
  readonly wallet: Me['wallet'];
  readonly done: () => void;
}

/** A stake on a side, with what it would bring back while one types. */
export function Bet({ market, hub, wallet, done }: BetProps) {
  const [side, setSide] = useState<Side>('yes');
  const [amount, setAmount] = useDraft(`bet ${market.id}`);
  const units = unitsOf(amount);
  const unit = T.unit(market.network);
  const back = units === undefined ? undefined : backOf(market, side, units);
  const bet = async (): Promise<void> => {
    if (units === undefined || back === undefined) return;
    const params = { path: { id: market.id } };
    // What was shown is what is agreed to, even when somebody else bets in between.
    const body = { side, amount: units, minPayout: back };
    unwrap(await hub.POST('/api/v1/games/predictions/markets/{id}/bet', { params, body }));
    setAmount('');
    done();
  };
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
      work={bet}
    >
      <Choice
        label={M.side}
        value={side}
        options={(['yes', 'no'] as const).map((name) => [name, M.sides[name]] as const)}
        onChange={(name) => setSide(name as Side)}
      />
      <AmountField
        label={M.amount}
        value={amount}
        onInput={setAmount}
        hint={M.amountHint(usdc(wallet.spendable))}
      />
      <p role="status">
        {back !== undefined && M.projected(`${usdc(back)} ${unit}`, M.sides[side])}
      </p>
    </SureForm>
  );
}

function backOf({ sides, fees, settledBy }: Market, side: Side, stake: string): string {
  const potOf = (name: Side): string => sides.find((each) => each.side === name)?.pot ?? '0';
  const judgeBps = settledBy === 'judge' ? fees.judgeBps : 0;
  return projected({ yes: potOf('yes'), no: potOf('no') }, side, stake, judgeBps);
}
