import { T } from '../texts.ts';

interface Chip {
  readonly name: string;
  readonly text: string;
}

interface FilterChipsProps {
  readonly chips: readonly Chip[];
  /** Takes one filter out of the address. */
  readonly remove: (name: string) => void;
  readonly clear: () => void;
}

/** The filters that are set, each with a press that takes it away. The address holds them. */
export function FilterChips({ chips, remove, clear }: FilterChipsProps) {
  if (chips.length === 0) return null;
  return (
    <ul class="filter-chips" aria-label={T.filters.set}>
      {chips.map(({ name, text }) => (
        <li key={name}>
          <button
            type="button"
            class="small"
            aria-label={T.filters.remove(text)}
            onClick={() => remove(name)}
          >
            {text} <span aria-hidden="true">×</span>
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <button type="button" class="small" onClick={clear}>
            {T.filters.clear}
          </button>
        </li>
      )}
    </ul>
  );
}
