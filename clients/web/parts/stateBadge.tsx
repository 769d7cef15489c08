import { wordAndTone, type Kind, type StateOf } from '../texts/states.ts';
import { Badge } from './shown.tsx';

interface StateBadgeProps<K extends Kind> {
  readonly of: K;
  readonly state: StateOf<K>;
}

export function StateBadge<K extends Kind>({ of, state }: StateBadgeProps<K>) {
  const [word, tone] = wordAndTone(of, state);
  return <Badge tone={tone}>{word}</Badge>;
}
