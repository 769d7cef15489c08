import { unwrap } from '../../typescript/refusal.ts';
import { shortId } from '../format.ts';
import { useLoad, type Loaded } from '../load.ts';
import { Section, Time } from '../parts/shown.tsx';
import { Empty, With } from '../parts/states.tsx';
import { reader } from '../session.ts';
import { trustTexts } from '../texts/trustPage.ts';
import { ChainVerdict, verifier } from './verdict.tsx';

const SHOWN = 5;
const EVERY_MS = 30_000;

/** The journal's newest sealed blocks, each following from the one before, verified here. */
export function Seals({ keys }: { readonly keys: Loaded<unknown> }) {
  const isReady = keys.value !== undefined;
  const seals = useLoad(
    `seals ${String(isReady)}`,
    async (signal) => {
      const { seal } = unwrap(await reader.GET('/api/v1/economy', { signal }));
      const newest = seal?.body.blockNo ?? -1;
      const first = Math.max(0, newest - SHOWN + 1);
      const list = await Promise.all(
        Array.from({ length: newest - first + 1 }, async (_, place) => {
          const params = { path: { block: String(first + place) } };
          return unwrap(await reader.GET('/api/v1/economy/seals/{block}', { params, signal }));
        }),
      );
      const isChecked = isReady && list.length > 0;
      const { verify } = await verifier();
      return { list, verdict: isChecked ? await verify.seals(list, keys.value) : undefined };
    },
    EVERY_MS,
  );
  return (
    <Section title={trustTexts.trust.seals} lead={trustTexts.trust.sealsLead}>
      <With of={seals}>
        {({ list, verdict }) => (
          <>
            <ChainVerdict verdict={verdict} holds={trustTexts.trust.sealsHold} />
            {list.length === 0 && <Empty>{trustTexts.trust.noSeal}</Empty>}
            <ul class="rows">
              {[...list].reverse().map(({ seal: { body, digest } }) => (
                <li key={body.blockNo}>
                  <p class="meta">
                    <b>{trustTexts.trust.block(body.blockNo)}</b>
                    <span>{trustTexts.trust.entries(body.fromSeq, body.toSeq)}</span>
                    <Time at={body.sealedAt} />
                    <span class="mono" title={digest}>
                      {shortId(digest)}
                    </span>
                  </p>
                </li>
              ))}
            </ul>
          </>
        )}
      </With>
    </Section>
  );
}
