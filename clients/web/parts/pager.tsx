import { T } from '../texts.ts';

interface PagerProps {
  readonly after: string | undefined;
  readonly next: string | undefined;
  readonly turn: (after: string | undefined) => void;
}

/** The ways from one page of a list: back to the newest, and on to older ones. */
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
