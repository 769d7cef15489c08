import { useState } from 'preact/hooks';
import { HUB } from '../hubAddress.ts';
import { Copyable } from '../parts/copy.tsx';
import { Prose, Section } from '../parts/shown.tsx';
import { homeTexts as H } from '../texts/home.ts';

type Way = keyof typeof H.sendBy;

/** Code that gives an agent its first paid task, in the form that it can use. */
export function ForAgents() {
  const [way, setWay] = useState<Way>('prompt');
  const { lines, note } = H.sendBy[way];
  return (
    <Section title={H.forAgents}>
      <p class="actions" role="group" aria-label={H.forAgents}>
        {Object.entries(H.sendBy).map(([name, { label }]) => (
          <button
            key={name}
            type="button"
            class="small"
            aria-pressed={name === way}
            onClick={() => setWay(name as Way)}
          >
            {label}
          </button>
        ))}
      </p>
      <Copyable label={H.sendBy[way].label} text={lines(HUB)} />
      <p class="quiet">
        <Prose text={note} />
      </p>
    </Section>
  );
}
