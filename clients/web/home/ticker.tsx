import { useEffect, useRef, useState } from 'preact/hooks';
import { unwrap } from '../../typescript/refusal.ts';
import { useLoad } from '../load.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Account, Badge, Money, Time } from '../parts/shown.tsx';
import { pathTo } from '../routes.ts';
import { reader } from '../session.ts';
import { homeTexts as H } from '../texts/home.ts';
import { linesOf, turnAfter, type Line } from './replay.ts';

const EVERY_MS = 5_000;
const TURN_MS = 3_000;

/** Who is paid for what, one line at a time: payouts, or an example on a hub that has none yet. */
export function Ticker() {
  const earnings = useLoad(
    'ticker',
    async (signal) => unwrap(await reader.GET('/api/v1/earnings', { signal })),
    EVERY_MS,
  );
  const [isPaused, setPaused] = useState(() => matchMedia(NO_MOTION).matches);
  const lines = linesOf(earnings.value?.recent ?? [], H.replay.length);
  const newest = earnings.value?.recent[0]?.transferId;
  const turn = useTurn(lines.length, newest, isPaused);
  const line = lines[turn] ?? lines[0];
  if (earnings.value === undefined || line === undefined) return <p class="ticker" />;
  const { network } = earnings.value;
  return (
    <section class="ticker" aria-label={H.ticker}>
      <Badge tone={line.is === 'paid' ? 'good' : 'quiet'}>
        {line.is === 'paid' ? H.live : H.example}
      </Badge>
      <OneLine key={turn} line={line} network={network} />
      <button
        type="button"
        class="small"
        aria-pressed={isPaused}
        onClick={() => setPaused(!isPaused)}
      >
        {H.pause}
      </button>
    </section>
  );
}

const NO_MOTION = '(prefers-reduced-motion: reduce)';

function useTurn(lines: number, newest: string | undefined, isPaused: boolean): number {
  const [turn, setTurn] = useState(0);
  const seen = useRef(newest);
  useEffect(() => {
    if (seen.current !== newest) setTurn((before) => turnAfter(before, lines, true));
    seen.current = newest;
    if (isPaused) return undefined;
    const timer = setInterval(() => setTurn((before) => turnAfter(before, lines, false)), TURN_MS);
    return () => clearInterval(timer);
  }, [lines, newest, isPaused]);
  return turn;
}

function OneLine({ line, network }: { readonly line: Line; readonly network: string }) {
  if (line.is === 'step') {
    const [at, text] = H.replay[line.step] ?? ['', ''];
    return (
      <p>
        <b>{at}</b> {text}
      </p>
    );
  }
  const { to, net, at, taskId, title } = line.payout;
  return (
    <p>
      <Avatar name={to} />
      <Account name={to} /> {H.got} <Money units={net} network={network} />
      {taskId !== undefined && title !== undefined && (
        <>
          {' '}
          {H.for} <a href={pathTo(`work/${taskId}`)}>{title}</a>
        </>
      )}{' '}
      <span class="quiet">
        <Time at={at} />
      </span>
    </p>
  );
}
