import { useState } from 'preact/hooks';
import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { firstMoney, isCredit } from '../account/firstMoney.ts';
import { unitsOf, usdc } from '../format.ts';
import { useAction } from '../load.ts';
import { AmountField, Field, Form, Once, Submit, SureForm } from '../parts/fields.tsx';
import { Section } from '../parts/shown.tsx';
import { Failure } from '../parts/states.tsx';
import { usePress } from '../press.ts';
import { useFormDraft } from '../session.ts';
import { T } from '../texts.ts';
import { pokerTexts as P } from '../texts/poker.ts';
import type { Table } from '../types.ts';
import { Cards } from './cards.tsx';
import { chipsOf, chipsText, sizeByPot } from './chips.ts';
import type { SeatView } from './watchTable.ts';

type LegalMove = SeatView['legal'][number];
type Move = Pick<LegalMove, 'move'> & { readonly amount?: string };
interface SitDownProps extends SittingProps {
  /** The account that this press makes, which has no money yet. */
  readonly newAccount?: string | undefined;
}

interface SittingProps {
  readonly table: Table;
  readonly hub: Hub;
}

export function OwnSeat({ table, hub, seat }: SittingProps & { readonly seat: SeatView }) {
  const params = { path: { id: table.id } };
  const { token, legal, state, cards } = seat;
  const act = async (move: Move): Promise<void> => {
    if (token === undefined) return;
    const body = { token, ...move };
    unwrap(await hub.POST('/api/v1/games/poker/tables/{id}/act', { params, body }));
  };
  const leaving = usePress(hub, {
    form: `leave ${table.id}`,
    what: P.leaveOf,
    work: async (once) => {
      unwrap(await once.POST('/api/v1/games/poker/tables/{id}/leave', { params }));
    },
  });
  const comingBack = usePress(hub, {
    form: `come back ${table.id}`,
    what: P.comeBackOf,
    work: async (once) => {
      unwrap(await once.POST('/api/v1/games/poker/tables/{id}/sit', { params }));
    },
  });
  const mayLeave = state !== 'leaving' && (table.format === 'cash' || table.state === 'open');
  return (
    <Section title={P.yourSeat}>
      <p>
        {cards.length === 0 ? (
          <span class="quiet">{P.noCards}</span>
        ) : (
          <>
            {P.yourCards} <Cards cards={cards} />
          </>
        )}
      </p>
      {legal.length > 0 && <Moves key={token} legal={legal} seat={seat} act={act} />}
      <Once press={comingBack}>
        {state === 'sittingOut' && (
          <p class="actions">
            <button type="button" onClick={() => comingBack.run()}>
              {P.comeBack}
            </button>
          </p>
        )}
        {comingBack.error !== undefined && <Failure error={comingBack.error} />}
      </Once>
      <Once press={leaving}>
        {mayLeave && (
          <p class="actions">
            <button type="button" onClick={() => leaving.run()}>
              {P.leave}
            </button>
          </p>
        )}
        {leaving.error !== undefined && <Failure error={leaving.error} />}
      </Once>
    </Section>
  );
}

interface MovesProps {
  readonly legal: readonly LegalMove[];
  readonly seat: SeatView;
  readonly act: (move: Move) => Promise<void>;
}

/** The moves that are legal now; one that takes the whole stack asks a second time. */
function Moves({ legal, seat, act }: MovesProps) {
  const action = useAction();
  const sized = legal.find(({ minimum }) => minimum !== undefined);
  const isAll = ({ costs }: LegalMove): boolean => costs === seat.stack;
  const single = legal.filter((each) => each !== sized);
  return (
    <>
      <div class="actions">
        {single
          .filter((each) => !isAll(each))
          .map(({ move, costs }) => (
            <button
              key={move}
              type="button"
              class={move === 'fold' ? '' : 'main'}
              aria-busy={action.isRunning}
              onClick={() => action.run(() => act({ move }))}
            >
              {costs === undefined ? P.moves[move] : P.move(P.moves[move], chipsText(costs))}
            </button>
          ))}
        {single.filter(isAll).map(({ move }) => (
          <SureForm
            key={move}
            label={P.move(P.moves[move], chipsText(seat.stack))}
            question={P.allInQuestion(P.moves[move], chipsText(seat.stack))}
            yes={P.allInYes}
            isOff={false}
            isDanger
            work={() => act({ move })}
          />
        ))}
      </div>
      {sized !== undefined && <Sized legal={sized} seat={seat} act={act} />}
      {action.error !== undefined && <Failure error={action.error} />}
    </>
  );
}

const SIZES = [
  { name: 'least', halves: 0n },
  { name: 'half', halves: 1n },
  { name: 'pot', halves: 2n },
] as const;

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);

type SizedProps = Omit<MovesProps, 'legal'> & { readonly legal: LegalMove };

/** A bet or a raise, by the total that one will have in on this street. */
function Sized({ legal, seat, act }: SizedProps) {
  const { move, minimum = '0', maximum = '0' } = legal;
  const [text, setText] = useState(chipsText(minimum));
  const action = useAction();
  const chips = chipsOf(text);
  const isIn =
    chips !== undefined && BigInt(chips) >= BigInt(minimum) && BigInt(chips) <= BigInt(maximum);
  const { players, hand } = seat.table;
  const before = players.find((each) => each.seat === seat.seat)?.committed ?? '0';
  const street = {
    pot: (hand?.pots ?? []).reduce((sum, { amount }) => sum + BigInt(amount), 0n),
    highest: players.reduce((most, { committed }) => max(most, BigInt(committed)), 0n),
    own: BigInt(before),
  };
  const isAll = isIn && BigInt(chips) - BigInt(before) === BigInt(seat.stack);
  const label = P.move(P.moves[move], isIn ? chipsText(chips) : '');
  const work = async (): Promise<void> => {
    if (isIn) await act({ move, amount: chips });
  };
  const field = (
    <>
      <Field
        label={P.total}
        value={text}
        onInput={setText}
        mode="decimal"
        hint={P.totalHint(chipsText(minimum), chipsText(maximum))}
      />
      <p class="actions">
        {SIZES.map(({ name, halves }) => (
          <button
            key={name}
            type="button"
            class="small"
            onClick={() => setText(chipsText(sizeByPot(street, halves, { minimum, maximum })))}
          >
            {P.sizes[name]}
          </button>
        ))}
      </p>
    </>
  );
  if (isAll) {
    const question = P.allInQuestion(label, chipsText(seat.stack));
    return (
      <SureForm
        label={label}
        name={P.moves[move]}
        question={question}
        yes={P.allInYes}
        isOff={false}
        isDanger
        work={work}
      >
        {field}
      </SureForm>
    );
  }
  return (
    <Form label={P.moves[move]} onSubmit={() => action.run(work)}>
      {field}
      <Submit isRunning={action.isRunning} isOff={!isIn}>
        {label}
      </Submit>
      {action.error !== undefined && <Failure error={action.error} />}
    </Form>
  );
}

/** A seat for who has none; the price moves at the second press. */
export function SitDown({ table, hub, newAccount }: SitDownProps) {
  const { minBuyIn, maxBuyIn, buyIn, network, id } = table;
  const empty = { amount: usdc(minBuyIn ?? '0'), name: '' };
  const [{ amount, name }, change, clear] = useFormDraft(`seat ${id}`, empty);
  const price = buyIn ?? unitsOf(amount);
  const press = usePress(hub, {
    form: `sit ${id}`,
    what: P.sitOf(`${usdc(price ?? '0')} ${T.unit(network)}`),
    work: async (once, lost) => {
      const owner = newAccount ?? (isCredit(lost) ? hub.account : undefined);
      if (owner !== undefined) await firstMoney(once, { owner, network, units: price ?? '0' });
      const stake = buyIn === undefined && price !== undefined && { buyIn: price };
      const body = { ...stake, ...(name !== '' && { name }) };
      const params = { path: { id } };
      unwrap(await once.POST('/api/v1/games/poker/tables/{id}/sit', { params, body }));
      clear();
    },
  });
  return (
    <Section
      title={P.sit}
      lead={newAccount === undefined ? P.sitLead : `${P.sitLead} ${T.firstPress}`}
    >
      <SureForm
        label={P.sit}
        question={P.sitQuestion(`${usdc(price ?? '0')} ${T.unit(network)}`)}
        yes={P.sitYes}
        isOff={price === undefined}
        isMain
        press={press}
      >
        {buyIn === undefined && (
          <AmountField
            label={P.buyIn}
            of="body.buyIn"
            value={amount}
            onInput={(next) => change({ amount: next })}
            hint={P.buyInRange(usdc(minBuyIn ?? '0'), usdc(maxBuyIn ?? '0'))}
          />
        )}
        <Field
          label={P.yourName}
          of="body.name"
          value={name}
          onInput={(next) => change({ name: next })}
          hint={P.nameHint}
        />
      </SureForm>
    </Section>
  );
}
