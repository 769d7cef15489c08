import { agentTexts } from '../texts/agents.ts';
import type { Listing } from '../types.ts';

type Priced = Pick<Listing, 'access'> & {
  readonly skills: readonly { readonly name: string; readonly price?: object }[];
};

/** The word for how an agent can be called; one that answers openly may still sell some tools. */
export function accessText({ access, skills }: Priced): string {
  const sells = skills.some(({ price }) => price !== undefined);
  return sells && access === 'open' ? agentTexts.sells : agentTexts.accesses[access];
}
