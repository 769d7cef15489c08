import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';

interface DropProps {
  readonly choose: string;
  /** The kinds of files that the dialog offers; all when absent. */
  readonly accept?: string;
  readonly take: (files: readonly File[]) => void;
  readonly more?: ComponentChildren;
  readonly below?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Drop({ choose, accept, take, more, below, children }: DropProps) {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const given = (files: FileList | null | undefined): void => {
    if (files) take([...files]);
  };
  return (
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        given(event.dataTransfer?.files);
      }}
    >
      {children}
      <p class="actions">
        <button type="button" onClick={() => input.current?.click()}>
          {choose}
        </button>
        {more}
      </p>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        aria-label={choose}
        onChange={() => {
          given(input.current?.files);
          // The same file can be chosen again.
          if (input.current !== null) input.current.value = '';
        }}
      />
      {below}
    </div>
  );
}
