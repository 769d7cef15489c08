import { T } from '../texts.ts';

/** Small plots without a library: lengths are shares from 0 to 100, colours are the style's. */
export interface Part {
  readonly label: string;
  readonly share: number;
  /** The value as text, for readers who cannot see the colours. */
  readonly text: string;
}

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
