/** Whether a `Prefer` header (RFC 7240) asks for a dry run; its other preferences are ignored. */
const DRY_RUN = 'dry-run';

export function isDryRun(prefer: unknown): boolean {
  if (typeof prefer !== 'string') return false;
  return prefer
    .split(',')
    .some((each) => (each.split(';')[0] ?? '').trim().toLowerCase() === DRY_RUN);
}
