import { defined } from '../../domain/defined.ts';
import { isObject, type JsonObject } from '../../domain/jsonObject.ts';
import { FormFault, listAt, objectAt, onlyKnown, textAt } from '../../domain/models/forms/fault.ts';
import { parseUsdPerMillion } from '../../domain/models/offer.ts';
import type { Wishes } from '../../domain/models/routing.ts';
import type { ModelAsk } from './admit.ts';

const LIST_MAX = 10;

/** The models and providers that a request wishes for, in every form of the keyed doors. */
export function wishesOf({ models, provider }: JsonObject): Pick<ModelAsk, 'fallbacks' | 'wishes'> {
  const fallbacks = namesAt(models ?? undefined, 'body.models');
  if (provider === undefined || provider === null) return defined({ fallbacks });
  const at = 'body.provider';
  const given = objectAt(provider, at);
  onlyKnown(given, ['order', 'only', 'maxPrice'], at);
  const wishes: Wishes = defined({
    order: namesAt(given['order'], `${at}.order`),
    only: namesAt(given['only'], `${at}.only`),
    maxPrice: priceAt(given['maxPrice'], `${at}.maxPrice`),
  });
  return defined({ fallbacks, wishes });
}

function namesAt(value: unknown, at: string): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const names = listAt(value, at);
  if (names.length > LIST_MAX) wrongPlace(at, `has more than ${LIST_MAX} names`);
  return names.map((name, n) => textAt(name, `${at}[${n}]`));
}

function priceAt(value: unknown, at: string): Wishes['maxPrice'] {
  if (value === undefined) return undefined;
  if (!isObject(value)) return wrongPlace(at, 'is no object');
  onlyKnown(value, ['input', 'output'], at);
  const unit = (name: string): bigint | undefined => {
    if (value[name] === undefined) return undefined;
    const units = parseUsdPerMillion(textAt(value[name], `${at}.${name}`));
    return units ?? wrongPlace(`${at}.${name}`, 'is no USD per million tokens such as "0.15"');
  };
  return defined({ input: unit('input'), output: unit('output') });
}

function wrongPlace(field: string, is: string): never {
  throw new FormFault('bad-request', field, `${field} ${is}.`);
}
