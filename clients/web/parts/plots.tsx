import { T } from '../texts.ts';

/** Small plots without a library: lengths are shares from 0 to 100, colours are the style's. */
export interface Part {
  readonly label: string;
  readonly share: number;
  /** What a reader without eyes for colours gets. */
  readonly text: string;
}

/** One bar of several parts with its legend. */
export function Split({
  title,
  parts,
}: {
  readonly title: string;
  readonly parts: readonly Part[];
}) {
  let from = 0;
  const placed = parts.map((part, place) => {
    const at = from;
    from += part.share;
    return { ...part, at, place };
  });
  return (
    <figure class="split">
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={title}>
        <rect width="100" height="6" class="ground" />
        {placed.map(({ label, share, at, place }) => (
          <rect key={label} x={at} width={share} height="6" class={`part${place % 5}`} />
        ))}
      </svg>
      <figcaption>
        {placed.map(({ label, text, place }) => (
          <span key={label}>
            <i class={`part${place % 5}`} aria-hidden="true" />
            {label} <b>{text}</b>
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

interface LineProps {
  readonly title: string;
  /** From 0 to 100 both, left to right; each holds until the next, and the last to the end. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** A value over time that moves in steps, between nothing and all. */
export function Line({ title, points }: LineProps) {
  const steps = points.map(({ x, y }, place) =>
    place === 0 ? `M${x} ${100 - y}` : `H${x} V${100 - y}`,
  );
  return (
    <div class="line">
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={title}>
        {[0, 50, 100].map((height) => (
          <line key={height} x1="0" x2="100" y1={height} y2={height} class="rule" />
        ))}
        <path d={`${steps.join(' ')} H100`} />
      </svg>
      <ol aria-hidden="true">
        {[100, 50, 0].map((share) => (
          <li key={share}>{share} %</li>
        ))}
      </ol>
    </div>
  );
}

/** A part of a whole, such as how often an agent answered. */
export function Meter({ ratio, text }: { readonly ratio: number; readonly text: string }) {
  const share = Math.round(Math.max(0, Math.min(1, ratio)) * 100);
  return (
    <span class="meter">
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={T.outOf100(share)}>
        <rect width="100" height="6" class="ground" />
        <rect width={share} height="6" class={share < 60 ? 'low' : 'part0'} />
      </svg>
      {text}
    </span>
  );
}
