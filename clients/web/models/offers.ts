import type { components } from '../../../generated/types.ts';

export type Model = components['schemas']['ModelOffer'];

/** Returns false for a model that makes vectors of texts, which no conversation can be held with. */
export function answers({ dimensions }: Pick<Model, 'dimensions'>): boolean {
  return dimensions === undefined;
}

/** Returns the model that a conversation begins with: another answer shows more than one's own words. */
export function firstOf(models: readonly Pick<Model, 'id' | 'dimensions'>[]): string | undefined {
  const answering = models.filter(answers);
  return (answering.find(({ id }) => id !== 'hub/echo') ?? answering[0])?.id;
}
