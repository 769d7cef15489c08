import { useState } from 'preact/hooks';
import { shortId } from '../format.ts';
import { T } from '../texts.ts';
import { Account } from './shown.tsx';

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

/** An id or digest in short, which is copied whole. */
export function Id({ text }: { readonly text: string }) {
  return (
    <span class="id">
      <code title={text}>{shortId(text)}</code> <CopyButton text={text} label={T.copy} />
    </span>
  );
}

/** An account that a page is about, which is copied whole. */
export function CopiedAccount({ name }: { readonly name: string }) {
  return (
    <>
      <Account name={name} /> <CopyButton text={name} label={T.copy} />
    </>
  );
}

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
