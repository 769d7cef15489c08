import { useState } from 'preact/hooks';
import { T } from '../texts.ts';

/** Lines for a terminal, or an account, with a button that copies them. */
export function Copyable({ text, label }: { readonly text: string; readonly label: string }) {
  const [told, setTold] = useState('');
  const copy = (): void => {
    navigator.clipboard
      .writeText(text)
      .then(() => setTold(T.copied))
      .catch(() => setTold(T.copyFailed));
  };
  return (
    <div class="copyable">
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <button type="button" class="small" onClick={copy}>
        {T.copy}
      </button>
      <span role="status" class="quiet">
        {told}
      </span>
    </div>
  );
}
