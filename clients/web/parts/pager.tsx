import { T } from '../texts.ts';

interface PagerProps {
  readonly after: string | undefined;
  readonly next: string | undefined;
  readonly turn: (after: string | undefined) => void;
}

export function Pager({ after, next, turn }: PagerProps) {
  return (
    <p class="actions">
      {after !== undefined && (
        <button type="button" onClick={() => turn(undefined)}>
          {T.newest}
        </button>
      )}
      {next !== undefined && (
        <button type="button" onClick={() => turn(next)}>
          {T.older}
        </button>
      )}
    </p>
  );
}
