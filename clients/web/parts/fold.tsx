import type { ComponentChildren } from 'preact';

interface FoldProps {
  readonly title: string;
  readonly lead?: string;
  readonly children: ComponentChildren;
}

/** A card that is closed until a person opens it, for what a page does not need at every visit. */
export function Fold({ title, lead, children }: FoldProps) {
  return (
    <details class="card fold">
      <summary>
        <h2>{title}</h2>
      </summary>
      {lead !== undefined && <p class="quiet">{lead}</p>}
      {children}
    </details>
  );
}
