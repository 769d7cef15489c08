import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { unitsOf, usdc } from '../format.ts';
import { AmountField, Field, Once, SureForm } from '../parts/fields.tsx';
import { addressProblem } from '../parts/problems.ts';
import { Badge, Facts, Money } from '../parts/shown.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import { Empty, Failure } from '../parts/states.tsx';
import { usePress } from '../press.ts';
import { useDraft } from '../session.ts';
import { T } from '../texts.ts';
import { moreTexts } from '../texts/more.ts';
import type { Me } from '../types.ts';
import { glossary } from '../texts/glossary.ts';

interface OwnSeatProps {
  readonly hub: Hub;
  readonly me: Me;
  readonly changed: () => void;
}

export function OwnSeat(props: OwnSeatProps) {
  const seat = props.me.validatorSeat;
  if (seat === undefined || seat.state === 'closed') return <TakeSeat {...props} />;
  const { state, paused, endpoint, stake, ceiling, network } = seat;
  return (
    <>
      <p>
        {state === 'retired' ? (
          <StateBadge of="judge" state={state} />
        ) : (
          <Badge tone={paused ? 'wait' : 'good'}>
            {paused ? moreTexts.judges.resting : moreTexts.judges.active}
          </Badge>
        )}
      </p>
      <Facts
        terms={glossary}
        rows={[
          [moreTexts.judges.endpoint, <code key="endpoint">{endpoint}</code>],
          [moreTexts.judges.stake, <Money key="stake" units={stake} network={network} />],
          [moreTexts.judges.ceiling, <Money key="ceiling" units={ceiling} network={network} />],
        ]}
      />
      {state === 'seated' && <Resign {...props} />}
    </>
  );
}

export function TakeSeat({ hub, me: { owner, wallet }, changed }: OwnSeatProps) {
  const [endpoint, setEndpoint] = useDraft('seat endpoint');
  const [stake, setStake] = useDraft('seat stake');
  const units = stake === '' ? '0' : unitsOf(stake);
  const press = usePress(hub, {
    form: 'take a seat',
    what: moreTexts.judges.seatOf(`${usdc(units ?? '0')} ${T.unit(wallet.network)}`),
    work: async (once) => {
      const { network } = wallet;
      const body = { account: owner, endpoint: endpoint.trim(), stake: units ?? '0', network };
      unwrap(await once.POST('/api/v1/validators', { body }));
      for (const set of [setEndpoint, setStake]) set('');
      changed();
    },
  });
  return (
    <>
      <Empty>{moreTexts.judges.noSeat}</Empty>
      <SureForm
        isMain
        label={moreTexts.judges.take}
        question={moreTexts.judges.question(`${usdc(units ?? '0')} ${T.unit(wallet.network)}`)}
        yes={moreTexts.judges.yes}
        isOff={units === undefined || endpoint.trim() === ''}
        press={press}
      >
        <Field
          label={moreTexts.judges.endpoint}
          value={endpoint}
          onInput={setEndpoint}
          hint={moreTexts.judges.endpointHint}
          problem={addressProblem(endpoint)}
        />
        <AmountField
          label={moreTexts.judges.stakeField}
          value={stake}
          onInput={setStake}
          hint={moreTexts.judges.stakeHint(usdc(wallet.spendable))}
        />
      </SureForm>
    </>
  );
}

export function Resign({ hub, me: { owner }, changed }: OwnSeatProps) {
  const press = usePress(hub, {
    form: 'resign',
    what: moreTexts.judges.resignOf,
    work: async (once) => {
      unwrap(await once.POST('/api/v1/validators/resign', { body: { account: owner } }));
      changed();
    },
  });
  return (
    <Once press={press}>
      <button type="button" onClick={() => press.run()} aria-busy={press.isRunning}>
        {moreTexts.judges.resign}
      </button>
      {press.error !== undefined && <Failure error={press.error} />}
    </Once>
  );
}
