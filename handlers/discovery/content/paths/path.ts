import type { Schemas } from '../../../../workflows/kernel/answered.ts';

export type Path = NonNullable<Schemas['Handshake']['path']>;
export type Intent = Path['intent'];
type Step = Omit<Path['steps'][number], 'n'>;

export interface PathText extends Omit<Path, 'intent' | 'steps'> {
  readonly leads: string;
  readonly steps: readonly Step[];
}

export function open(title: string, what: string, call: Step['call']): Step {
  return { title, what, signed: false, call };
}

export function signed(title: string, what: string, call: Step['call']): Step {
  return { title, what, signed: true, call };
}
