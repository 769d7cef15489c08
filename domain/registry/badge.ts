import { watchedSeconds } from './history.ts';
import type { Listing } from './listing.ts';

/**
 * A badge for a README. It has figures and words of the hub alone, never a text of the listing, so
 * no untrusted text is drawn from this origin.
 */
const LABEL = 'agent exchange';
const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
const COLOURS = { live: '#1a7f37', unstable: '#9a6700', down: '#b42318', unknown: '#57606a' };
/** Widths in the 11 px font that the badge names; letters are a little narrower. */
const LETTER_PX = 6.6;
const PADDING_PX = 12;

export function badgeOf(
  listing:
    | Pick<
        Listing,
        | 'availability'
        | 'uptimeBps'
        | 'latencyMs'
        | 'verification'
        | 'firstSeenAt'
        | 'lastCheckedAt'
      >
    | undefined,
): string {
  if (listing === undefined) return svg('not listed', COLOURS.unknown);
  const { availability, latencyMs, verification } = listing;
  if (availability === 'unreachable' || availability === 'not-speaking') {
    return svg(availability.replace('-', ' '), COLOURS.down);
  }
  if (availability === 'unknown') return svg('not probed yet', COLOURS.unknown);
  const uptime = uptimeText(listing);
  const isProved = verification === 'dns' || verification === 'well-known';
  const parts = [availability, uptime, `${latencyMs} ms`, ...(isProved ? ['verified'] : [])];
  return svg(parts.join(' · '), COLOURS[availability]);
}

/** A share of a short time would be read as that of a month. */
function uptimeText(listing: Pick<Listing, 'uptimeBps' | 'firstSeenAt' | 'lastCheckedAt'>): string {
  const watched = watchedSeconds(listing);
  if (watched < 2 * HOUR) return `seen for ${Math.floor(watched / MINUTE)} min`;
  if (watched < 2 * DAY) return `seen for ${Math.floor(watched / HOUR)} h`;
  const share = (Math.floor(listing.uptimeBps / 10) / 10).toFixed(1);
  return `${share} % of ${Math.floor(watched / DAY)} d`;
}

function svg(text: string, colour: string): string {
  const left = width(LABEL);
  const right = width(text);
  const all = left + right;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${all}" height="20" role="img" aria-label="${LABEL}: ${text}">
<title>${LABEL}: ${text}</title>
<rect width="${all}" height="20" rx="3" fill="#24292f"/>
<path d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H${left}z" fill="${colour}"/>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="${left / 2}" y="14" textLength="${left - PADDING_PX}">${LABEL}</text>
<text x="${left + right / 2}" y="14" textLength="${right - PADDING_PX}">${text}</text>
</g>
</svg>
`;
}

function width(text: string): number {
  return Math.round(text.length * LETTER_PX) + PADDING_PX;
}
