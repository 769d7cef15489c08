import type { Offer } from '../../domain/models/offer.ts';
import { offersOf } from '../../workflows/kernel/search/embeddings.ts';
import type { Settings } from '../../workflows/kernel/settings.ts';

export const SEARCH_NAMES = ['HUB_SEARCH_EMBEDDINGS'] as const;

/** Nothing without it: search knows words alone. */
export function searchSettings(
  env: Readonly<Record<string, string | undefined>>,
  models: readonly Offer[],
): Pick<Partial<Settings>, 'searchEmbeddings'> {
  const id = env['HUB_SEARCH_EMBEDDINGS'] ?? '';
  if (id === '') return {};
  const known = offersOf(models).flatMap(({ id, embeds }) => (embeds === undefined ? [] : [id]));
  if (known.includes(id)) return { searchEmbeddings: id };
  const names = known.length === 0 ? 'none of the configured ones does' : known.join(', ');
  throw new Error(
    `HUB_SEARCH_EMBEDDINGS is the id of a model that makes vectors (HUB_MODEL_UPSTREAMS): ${names}`,
  );
}
