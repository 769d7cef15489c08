import { CopyButton } from '../parts/copy.tsx';
import { shortAccount } from '../format.ts';
import { pathTo } from '../routes.ts';
import { receiptTexts as R } from '../texts/receipts.ts';
import { linkTo, sentenceOf, type Paid } from './sentence.ts';

interface SentenceProps {
  readonly paid: Paid;
  /** Undefined while nothing has checked it. */
  readonly isChecked: boolean | undefined;
}

export function Sentence({ paid, isChecked }: SentenceProps) {
  return (
    <p class="receipt">
      {sentenceOf({ ...paid, to: shortAccount(paid.to) })}
      {isChecked !== undefined && `, ${isChecked ? R.checked : R.unchecked}`}.
    </p>
  );
}

/** A link that shows the receipt to others, who check it in their own browser. */
export function Share({ file }: { readonly file: unknown }) {
  const path = linkTo(pathTo('trust'), file);
  if (path === undefined) return null;
  return (
    <p class="actions">
      <CopyButton text={`${location.origin}${path}`} label={R.share} />
      <a class="button" href={path} target="_blank" rel="noopener">
        {R.open}
      </a>
    </p>
  );
}
