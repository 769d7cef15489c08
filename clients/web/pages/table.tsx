import { MakeKey } from '../account/makeKey.tsx';
import { usdc } from '../format.ts';
import { blindsText } from '../games/chips.ts';
import { Felt } from '../games/felt.tsx';
import { Hands, useHands } from '../games/hands.tsx';
import { OwnSeat, SitDown } from '../games/ownSeat.tsx';
import { isSeated, useTable, type TableView } from '../games/watchTable.ts';
import { Id } from '../parts/copy.tsx';
import { Account, Facts, Money, Section } from '../parts/shown.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import { Loading, With } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { useSender, useSession, type Sender } from '../session.ts';
import { T } from '../texts.ts';
import { moreTexts } from '../texts/more.ts';
import { pokerTexts as P } from '../texts/poker.ts';
import type { Table } from '../types.ts';
import { glossary } from '../texts/glossary.ts';

export function TablePage({ route: { id } }: { readonly route: { readonly id: string } }) {
  const session = useSession();
  const signed = session.state === 'open' ? session : undefined;
  const loaded = useTable(id, signed?.hub);
  return (
    <>
      <p class="crumbs">
        <a href={pathTo('games')}>{T.pages.games}</a>
      </p>
      <With of={loaded}>
        {({ table, seat }) => (
          <>
            <Head table={table} />
            <Seated table={table} seat={seat} signed={signed} />
          </>
        )}
      </With>
    </>
  );
}

interface SeatedProps extends TableView {
  readonly signed: Sender | undefined;
}

function Seated({ table, seat, signed }: SeatedProps) {
  const sender = useSender();
  const hands = useHands(table.id, table.handsPlayed);
  const own = signed?.account;
  return (
    <div class="columns2 moves">
      {hands.value === undefined && hands.error === undefined ? (
        <Section title={P.table}>
          <Loading />
        </Section>
      ) : (
        <Felt table={table} seat={seat} own={own} last={hands.value?.[0]?.hand} />
      )}
      <div>
        {sender === undefined && <MakeKey />}
        {signed !== undefined && seat !== undefined && (
          <OwnSeat table={table} hub={signed.hub} seat={seat} />
        )}
        {sender !== undefined && maySit(table, sender.account) && (
          <SitDown
            table={table}
            hub={sender.hub}
            newAccount={signed === undefined ? sender.account : undefined}
          />
        )}
        <Terms table={table} />
      </div>
      <Hands table={table} hands={hands} own={own} />
    </div>
  );
}

function maySit(table: Table, account: string): boolean {
  const isOpen = table.format === 'cash' ? table.state !== 'finished' : table.state === 'open';
  return isOpen && table.taken < table.seats && !isSeated(table, account);
}

function Head({ table }: { readonly table: Table }) {
  const { name, state, format } = table;
  return (
    <>
      <h1>{name}</h1>
      <p class="meta">
        <StateBadge of="table" state={state} />
        <span>{moreTexts.games.formats[format]}</span>
        <span>
          {moreTexts.games.blinds} {blindsText(table)}
        </span>
      </p>
    </>
  );
}

function Terms({ table }: { readonly table: Table }) {
  const { buyIn, minBuyIn, maxBuyIn, network, level, prizes = [], actSeconds, nextHand } = table;
  const shown = (units: string) => <Money units={units} network={network} />;
  return (
    <Section title={P.terms}>
      <Facts
        terms={glossary}
        rows={[
          [P.price, buyIn === undefined ? undefined : shown(buyIn)],
          [
            P.buyIn,
            minBuyIn === undefined || maxBuyIn === undefined
              ? undefined
              : P.buyInRange(usdc(minBuyIn), usdc(maxBuyIn)),
          ],
          ...prizes.map(
            ({ place, amount, account }) =>
              [
                P.place(place),
                <span key={place}>
                  {shown(amount)} {account !== undefined && <Account name={account} />}
                </span>,
              ] as const,
          ),
          [P.chip, table.format === 'cash' ? shown('1') : undefined],
          [P.level, level],
          [P.seconds, P.clock(actSeconds)],
          [
            P.nextCommit,
            nextHand === undefined ? undefined : <Id key="commit" text={nextHand.commit} />,
          ],
        ]}
      />
    </Section>
  );
}
