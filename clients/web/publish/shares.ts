import type { components } from '../../../generated/types.ts';

type PublishRequest = components['schemas']['TasksPublishRequest'];

/** Winners of a reward as a person types them: percents with commas between, the first place first. */
export type Winners = 'one' | 'places' | 'split';

/** Basis points of a percent such as `33.34`; undefined when it is none. */
export function pointsOf(text: string): number | undefined {
  const [, whole, fraction = ''] = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(text.trim()) ?? [];
  const points = whole === undefined ? 0 : Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
  return points >= 1 && points <= 10_000 ? points : undefined;
}

/** The basis points of places that are the whole reward; undefined until they are. */
export function placesOf(text: string): number[] | undefined {
  const places = text.split(',').flatMap((each) => pointsOf(each) ?? [0]);
  const isWhole = places.reduce((sum, each) => sum + each, 0) === 10_000;
  const isList = places.length >= 2 && places.length <= 20 && !places.includes(0);
  return isWhole && isList ? places : undefined;
}

export function sharesOf(winners: Winners, text: string): PublishRequest['shares'] {
  if (winners === 'split') return { split: true };
  const places = winners === 'places' ? placesOf(text) : undefined;
  return places === undefined ? undefined : { places };
}
