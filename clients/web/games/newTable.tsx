import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { unitsOf } from '../format.ts';
import { AmountField, Choice, Field, Form, Once, Submit } from '../parts/fields.tsx';
import { Fold } from '../parts/fold.tsx';
import { Failure } from '../parts/states.tsx';
import { usePress } from '../press.ts';
import { useFormDraft } from '../session.ts';
import { pokerTexts as P } from '../texts/poker.ts';
import { openTable } from './openTable.ts';

const EMPTY = { format: 'sng', seats: '2', price: '0.05', actSeconds: '30', name: '' };
const SEATS = ['2', '3', '4', '6', '9'] as const;
const SECONDS = ['15', '30', '60', '120'] as const;

export function NewTable({ hub }: { readonly hub: Hub }) {
  const [draft, change, clear] = useFormDraft('poker table', EMPTY);
  const { format, seats, price, actSeconds, name } = draft;
  const isCash = format === 'cash';
  const units = unitsOf(price);
  const opened = (id: string): void => {
    clear();
    openTable(id);
  };
  const press = usePress(hub, {
    form: 'open a table',
    what: P.tableOf(name),
    work: async (once) => {
      const stake = units ?? '0';
      const shared = {
        seats: Number(seats),
        actSeconds: Number(actSeconds),
        ...(name !== '' && { name }),
      };
      const body = isCash
        ? { format: 'cash' as const, bigBlind: stake, ...shared }
        : { format: 'sng' as const, buyIn: stake, ...shared };
      opened(unwrap(await once.POST('/api/v1/games/poker/tables', { body })).id);
    },
  });
  return (
    <Fold title={P.open} lead={P.openLead}>
      <Once press={press}>
        <Form label={P.open} onSubmit={() => press.run()}>
          <Choice
            label={P.format}
            value={format}
            options={(['sng', 'cash'] as const).map((each) => [each, P.formats[each]] as const)}
            onChange={(next) => change({ format: next })}
          />
          <Choice
            label={P.seats}
            value={seats}
            options={SEATS.map((n) => [n, n] as const)}
            onChange={(next) => change({ seats: next })}
          />
          <AmountField
            label={isCash ? P.blindField : P.buyInField}
            value={price}
            onInput={(next) => change({ price: next })}
            hint={isCash ? P.blindHint : P.buyInHint}
          />
          <Choice
            label={P.seconds}
            value={actSeconds}
            options={SECONDS.map((n) => [n, P.clock(Number(n))] as const)}
            onChange={(next) => change({ actSeconds: next })}
          />
          <Field
            label={P.name}
            of="body.name"
            value={name}
            onInput={(next) => change({ name: next })}
            hint={P.nameHint}
          />
          <Submit isRunning={press.isRunning} isOff={units === undefined}>
            {P.create}
          </Submit>
          {press.error !== undefined && <Failure error={press.error} />}
        </Form>
      </Once>
    </Fold>
  );
}
