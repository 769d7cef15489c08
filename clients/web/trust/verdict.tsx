import { Badge } from '../parts/shown.tsx';
import { trustTexts } from '../texts/trustPage.ts';

/** The verifier, which is loaded beside the content that it checks. */
export const verifier = () => import('../../typescript/verify.ts');

interface VerdictProps {
  /** Undefined while the keys to check with are not there. */
  readonly verdict:
    | { readonly ok: true; readonly count: number }
    | { readonly ok: false; readonly says: string }
    | undefined;
  readonly holds: (count: number) => string;
}

/** Whether the links of a chain follow from each other, as this browser found. */
export function ChainVerdict({ verdict, holds }: VerdictProps) {
  if (verdict === undefined) return null;
  return (
    <p role="status">
      <Badge tone={verdict.ok ? 'good' : 'bad'}>
        {verdict.ok ? holds(verdict.count) : trustTexts.trust.chainFails}
      </Badge>{' '}
      {!verdict.ok && verdict.says}
    </p>
  );
}
