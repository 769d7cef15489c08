import { useState } from 'preact/hooks';
import { toolFormTexts as F } from '../texts/toolForm.ts';

/** JSON as a tree. Branches are drawn when they are opened, so a deep or wide answer costs nothing. */
const OPEN_DEPTH = 2;
const ENTRIES_MAX = 50;
const DEPTH_MAX = 20;
const TEXT_LETTERS_MAX = 500;

interface TreeProps {
  readonly value: unknown;
  readonly name?: string;
  readonly depth?: number;
}

export function Tree({ value, name, depth = 0 }: TreeProps) {
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH);
  const label = name === undefined ? '' : `${name.slice(0, TEXT_LETTERS_MAX)}: `;
  if (typeof value !== 'object' || value === null) {
    const text = typeof value === 'string' ? value : String(value);
    return (
      <p class="leaf">
        <span class="quiet">{label}</span>
        <bdi>{text.slice(0, TEXT_LETTERS_MAX)}</bdi>
      </p>
    );
  }
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  const summary = `${label}${F.items(entries.length)}`;
  if (entries.length === 0 || depth >= DEPTH_MAX) return <p class="leaf quiet">{summary}</p>;
  return (
    <details
      class="tree"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <bdi>{summary}</bdi>
      </summary>
      {isOpen &&
        entries
          .slice(0, ENTRIES_MAX)
          .map(([key, each]) => <Tree key={key} name={key} value={each} depth={depth + 1} />)}
      {isOpen && entries.length > ENTRIES_MAX && <p class="quiet">{F.cut}</p>}
    </details>
  );
}
