/**
 * Whether a `Prefer` header (RFC 7240) asks to try the call without keeping anything. Of its other
 * preferences the hub follows none.
 */
const DRY_RUN = 'dry-run';

export function isDryRun(prefer: unknown): boolean {
  if (typeof prefer !== 'string') return false;
  return prefer
    .split(',')
    .some((each) => (each.split(';')[0] ?? '').trim().toLowerCase() === DRY_RUN);
}
