import { useEffect, useRef } from 'preact/hooks';
import { unwrap } from '../../typescript/refusal.ts';
import { useLoad, useReloadOn, type Loaded } from '../load.ts';
import { CopyButton } from '../parts/copy.tsx';
import { Badge, ScrolledTable, Section } from '../parts/shown.tsx';
import { Empty, With } from '../parts/states.tsx';
import { reader } from '../session.ts';
import { pokerTexts as P } from '../texts/poker.ts';
import type { Table } from '../types.ts';
import { chipsText } from './chips.ts';
import { statisticsOf } from './statistics.ts';
import { count, percent } from '../format.ts';
import { Cards } from './cards.tsx';
import { endOf, namesOf, streetsOf, winnersOf, type Hand, type HandLine } from './handWords.ts';

export interface Checked {
  readonly hand: Hand;
  readonly fault: string | undefined;
}

const LIMIT = 20;

export function useHands(id: string, handsPlayed: number): Loaded<readonly Checked[]> {
  const hands = useLoad(`hands ${id}`, async (signal) => {
    const params = { path: { id }, query: { limit: LIMIT } };
    const answer = await reader.GET('/api/v1/games/poker/tables/{id}/hands', { params, signal });
    return checked(id, unwrap(answer).hands);
  });
  useReloadOn(handsPlayed, hands.reload);
  return hands;
}

interface HandsProps {
  readonly table: Table;
  readonly hands: Loaded<readonly Checked[]>;
  readonly own: string | undefined;
}

export function Hands({ table, hands, own }: HandsProps) {
  const commits = useCommits(table);
  const nameOf = namesOf(table.players, own);
  return (
    <Section title={P.hands} lead={P.handsLead}>
      <With of={hands}>
        {(list) =>
          list.length === 0 ? (
            <Empty>{P.noHands}</Empty>
          ) : (
            <>
              <Statistics hands={list.map(({ hand }) => hand)} nameOf={nameOf} />
              <ul class="rows">
                {list.map(({ hand, fault }) => (
                  <li key={hand.n}>
                    <p class="meta">
                      <b>
                        {P.number} {hand.n}
                      </b>
                      <span>{winnersOf(hand, nameOf)}</span>
                      <Word fault={fault} hand={hand} promised={commits.get(hand.n)} />
                    </p>
                    <Cards cards={hand.cards.board} />
                    <Story hand={hand} nameOf={nameOf} />
                    <CopyButton
                      text={recordOf(table.id, list, hand)}
                      label={P.copyRecord(hand.n)}
                    />
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </With>
    </Section>
  );
}

interface StatisticsProps {
  readonly hands: readonly Hand[];
  readonly nameOf: (seat: number) => string;
}

function Statistics({ hands, nameOf }: StatisticsProps) {
  const S = P.statistics;
  return (
    <ScrolledTable label={S.title(hands.length)}>
      <caption>{S.title(hands.length)}</caption>
      <thead>
        <tr>
          <th scope="col">{S.player}</th>
          {S.columns.map((column) => (
            <th key={column} scope="col" class="number">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {statisticsOf(hands).map(({ seat, account, hands: dealt, net, ...counted }) => (
          <tr key={`${seat} ${account}`}>
            <th scope="row">{nameOf(seat)}</th>
            <td class="number">{count(dealt)}</td>
            {[counted.won, counted.entered, counted.raised, counted.shown].map((part, place) => (
              <td key={place} class="number">
                {percent(part / dealt)}
              </td>
            ))}
            <td class="number">{chipsText(net)}</td>
          </tr>
        ))}
      </tbody>
    </ScrolledTable>
  );
}

interface StoryProps {
  readonly hand: Hand;
  readonly nameOf: (seat: number) => string;
}

function Story({ hand, nameOf }: StoryProps) {
  return (
    <details class="story">
      <summary>
        {P.story} <span class="unseen">{hand.n}</span>
      </summary>
      {streetsOf(hand, nameOf).map(({ title, board, lines }) => (
        <div key={title}>
          <h3>
            {title} <Cards cards={board} />
          </h3>
          <Lines lines={lines} />
        </div>
      ))}
      <h3>{P.end}</h3>
      <Lines lines={endOf(hand, nameOf)} />
    </details>
  );
}

function Lines({ lines }: { readonly lines: readonly HandLine[] }) {
  return (
    <ul>
      {lines.map(({ text, cards = [] }, place) => (
        <li key={place}>
          {cards.length > 0 && <Cards cards={cards} />} {text}
        </li>
      ))}
    </ul>
  );
}

/** Returns the file for the trust page: a hand and the one before it, which fixes its entropy. */
function recordOf(tableId: string, list: readonly Checked[], { n }: Hand): string {
  const hands = list.map(({ hand }) => hand).filter((each) => each.n === n || each.n === n - 1);
  return JSON.stringify({ tableId, hands });
}

/** The commitments that this page saw before their hands had ended. */
function useCommits({ hand, nextHand }: Table): ReadonlyMap<number, string> {
  const seen = useRef(new Map<number, string>());
  useEffect(() => {
    for (const each of [hand, nextHand]) {
      if (each !== undefined && !seen.current.has(each.n)) seen.current.set(each.n, each.commit);
    }
  }, [hand?.n, nextHand?.n]);
  return seen.current;
}

/** Each hand with the one before it, whose public record its entropy is the digest of. */
async function checked(id: string, hands: readonly Hand[]): Promise<readonly Checked[]> {
  const { verifyHands } = await import('../../typescript/verify/poker.ts');
  return Promise.all(
    hands.map(async (hand) => {
      const before = hands.find(({ n }) => n === hand.n - 1);
      const pair = before === undefined ? [hand] : [before, hand];
      const verdict = await verifyHands(id, pair);
      const isAbout = !verdict.ok && verdict.n === hand.n;
      return { hand, fault: isAbout ? verdict.says : undefined };
    }),
  );
}

interface WordProps extends Checked {
  readonly promised: string | undefined;
}

function Word({ hand, fault, promised }: WordProps) {
  if (fault !== undefined) return <Badge tone="bad">{P.fails(fault)}</Badge>;
  if (promised === undefined) return <Badge tone="good">{P.verified}</Badge>;
  if (promised !== hand.commit) return <Badge tone="bad">{P.commitBroken}</Badge>;
  return <Badge tone="good">{P.verifiedSeen}</Badge>;
}
