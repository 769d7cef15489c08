import { useState } from 'preact/hooks';
import { T } from '../texts.ts';

/** Lines for a terminal, or an account, with a button that copies them. */
export function Copyable({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div class="copyable">
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <CopyButton text={text} label={T.copy} />
    </div>
  );
}

/** A button that copies a text that need not be seen. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [message, setMessage] = useState('');
  const copy = (): void => {
    navigator.clipboard
      .writeText(text)
      .then(() => setMessage(T.copied))
      .catch(() => setMessage(T.copyFailed));
  };
  return (
    <>
      <button type="button" class="small" onClick={copy}>
        {label}
      </button>{' '}
      <span role="status" class="quiet">
        {message}
      </span>
    </>
  );
}
