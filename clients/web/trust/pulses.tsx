import { unwrap } from '../../typescript/refusal.ts';
import { count, shortId } from '../format.ts';
import { useLoad, type Loaded } from '../load.ts';
import { ScrolledTable, Section, Time } from '../parts/shown.tsx';
import { Empty, With } from '../parts/states.tsx';
import { reader } from '../session.ts';
import { T } from '../texts.ts';
import { trustTexts } from '../texts/trustPage.ts';
import { ChainVerdict, verifier } from './verdict.tsx';
import type { Pulse } from '../types.ts';

const SHOWN = 8;
/** One comes each minute. */
const EVERY_MS = 10_000;

export async function newestPulses(signal: AbortSignal, wanted: number): Promise<readonly Pulse[]> {
  const head = (
    unwrap(await reader.GET('/api/v1/time', { signal })).body as { head?: { seq: number } }
  ).head;
  if (head === undefined) return [];
  const first = Math.max(0, head.seq - wanted + 1);
  const seqs = Array.from({ length: head.seq - first + 1 }, (_, place) => String(first + place));
  return Promise.all(
    seqs.map(async (seq) =>
      unwrap(await reader.GET('/api/v1/time/pulses/{seq}', { params: { path: { seq } }, signal })),
    ),
  );
}

export function Pulses({ keys }: { readonly keys: Loaded<unknown> }) {
  const isReady = keys.value !== undefined;
  const pulses = useLoad(
    `pulses ${String(isReady)}`,
    async (signal) => {
      const [list, { verify }] = await Promise.all([newestPulses(signal, SHOWN), verifier()]);
      const isChecked = isReady && list.length > 0;
      return { list, verdict: isChecked ? await verify.pulses(list, keys.value) : undefined };
    },
    EVERY_MS,
  );
  return (
    <Section title={trustTexts.trust.pulses} lead={trustTexts.trust.pulsesLead}>
      <With of={pulses}>
        {({ list, verdict }) => (
          <>
            <ChainVerdict verdict={verdict} holds={trustTexts.trust.chainHolds} />
            {list.length === 0 ? (
              <Empty>{trustTexts.trust.noPulse}</Empty>
            ) : (
              <PulseTable list={list} />
            )}
          </>
        )}
      </With>
    </Section>
  );
}

function PulseTable({ list }: { readonly list: readonly Pulse[] }) {
  return (
    <ScrolledTable label={trustTexts.trust.pulses}>
      <thead>
        <tr>
          <th scope="col">{trustTexts.trust.seq}</th>
          <th scope="col">{trustTexts.trust.minute}</th>
          <th scope="col" class="number">
            {trustTexts.trust.stamps}
          </th>
          <th scope="col">{trustTexts.trust.digest}</th>
          <th scope="col">{trustTexts.trust.gap}</th>
        </tr>
      </thead>
      <tbody>
        {[...list].reverse().map(({ body, digest }) => (
          <tr key={body.seq}>
            <td>{count(body.seq)}</td>
            <td>
              <Time at={body.minute} />
            </td>
            <td class="number">{count(body.leaves)}</td>
            <td class="mono" title={digest}>
              {shortId(digest)}
            </td>
            <td>
              {body.gap === null
                ? T.none
                : trustTexts.trust.gapOf(body.gap.minutes, body.gap.cause)}
            </td>
          </tr>
        ))}
      </tbody>
    </ScrolledTable>
  );
}
