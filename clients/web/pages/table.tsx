import { MakeKey } from '../account/makeKey.tsx';
import { usdc } from '../format.ts';
import { Cards, Chips } from '../games/cards.tsx';
import { blindsText } from '../games/chips.ts';
import { Hands } from '../games/hands.tsx';
import { OwnSeat, SitDown } from '../games/ownSeat.tsx';
import { Seats } from '../games/seats.tsx';
import { isSeated, useTable, type TableView } from '../games/watchTable.ts';
import { Account, Badge, Facts, Money, Section } from '../parts/shown.tsx';
import { With } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { useSession } from '../session.ts';
import { T } from '../texts.ts';
import { pokerTexts as P } from '../texts/poker.ts';
import type { Table } from '../types.ts';

/** A table to watch, and to play at with an account; every move arrives as it is made. */
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
            <div class="columns2 moves">
              <div>
                <Felt table={table} seat={seat} own={signed?.account} />
                <Hands table={table} />
              </div>
              <div>
                {signed === undefined && (
                  <Section title={P.sit}>
                    <p>{P.needsKey}</p>
                    <MakeKey />
                  </Section>
                )}
                {signed !== undefined && seat !== undefined && (
                  <OwnSeat table={table} hub={signed.hub} seat={seat} />
                )}
                {signed !== undefined && maySit(table, signed.account) && (
                  <SitDown table={table} hub={signed.hub} />
                )}
                <Terms table={table} />
              </div>
            </div>
          </>
        )}
      </With>
    </>
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
        <Badge tone={state === 'finished' ? 'quiet' : 'good'}>{T.games.states[state]}</Badge>
        <span>{T.games.formats[format]}</span>
        <span>
          {T.games.blinds} {blindsText(table)}
        </span>
      </p>
    </>
  );
}

type FeltProps = TableView & { readonly own: string | undefined };

function Felt({ table, seat, own }: FeltProps) {
  const { hand, format } = table;
  return (
    <Section title={P.table}>
      <p role="status">{wordOf(table, seat?.yourTurn === true)}</p>
      {hand !== undefined && (
        <div class="felt">
          <p>
            {P.board}{' '}
            {hand.board.length === 0 ? (
              <span class="quiet">{P.noBoard}</span>
            ) : (
              <Cards cards={hand.board} />
            )}
          </p>
          {hand.pots.map(({ amount }, place) => (
            <p key={place}>
              {place === 0 ? P.pot : P.sidePot(place)} <Chips chips={amount} format={format} />
            </p>
          ))}
        </div>
      )}
      <Seats table={table} seat={seat} own={own} />
    </Section>
  );
}

/** What a reader without eyes for the felt hears when the table moves. */
function wordOf(table: Table, isYours: boolean): string {
  const { hand, nextHand, finishedBecause, taken, seats } = table;
  if (finishedBecause !== undefined) return P.over[finishedBecause];
  if (hand !== undefined) {
    const { toAct } = hand;
    const turn = isYours ? P.yourTurn : toAct === undefined ? '' : P.toAct(toAct.seat);
    return `${P.hand(hand.n, P.streets[hand.street])} ${turn}`.trim();
  }
  return nextHand?.startsAt === undefined ? P.waits(taken, seats) : P.between(nextHand.n);
}

function Terms({ table }: { readonly table: Table }) {
  const { buyIn, minBuyIn, maxBuyIn, network, level, prizes = [], actSeconds, nextHand } = table;
  const shown = (units: string) => <Money units={units} network={network} />;
  return (
    <Section title={P.terms}>
      <Facts
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
          [P.level, level],
          [P.seconds, P.clock(actSeconds)],
          [
            P.nextCommit,
            nextHand === undefined ? undefined : <code key="commit">{nextHand.commit}</code>,
          ],
        ]}
      />
    </Section>
  );
}
