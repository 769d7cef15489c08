import type { components } from '../../generated/types.ts';
import { encoders } from '../../generated/validators.js';
import type { Schemas } from './answered.ts';

/** A reply whose body handlers gave with moments and amounts as the domain has them. */
export interface Encodable {
  readonly status: number;
  readonly type?: string;
  readonly body: unknown;
}
const JSON_TYPE = 'application/json';

/** A reply whose body, or each item of whose stream, is as it goes out. */
export function encodeReply<R extends Encodable>(operation: string, reply: R): R {
  const { status, type = JSON_TYPE } = reply;
  const isJson = type === JSON_TYPE;
  const encode = encoders[`${operation}/${status}${isJson ? '' : `/${type}`}`];
  if (encode === undefined) return reply;
  const { body } = reply;
  return { ...reply, body: isJson ? encode(body) : eachOf(body as AsyncIterable<unknown>, encode) };
}

/** The body of an answer that is stored under a key. */
export function encodeAnswer(operation: string, body: unknown): unknown {
  return (encoders[`${operation}/200`] ?? encoders[`${operation}/202`])?.(body) ?? body;
}

/** A component that leaves the hub in another way than in a reply. */
export function encode<Name extends keyof Schemas>(
  name: Name,
  value: Schemas[Name],
): components['schemas'][Name] {
  const encoded = encoders[name];
  if (encoded === undefined) throw new Error(`${name} has nothing that is encoded`);
  return encoded(value) as components['schemas'][Name];
}

function eachOf(
  items: AsyncIterable<unknown>,
  encodeOne: (item: unknown) => unknown,
): AsyncIterable<unknown> {
  return {
    [Symbol.asyncIterator]() {
      const source = items[Symbol.asyncIterator]();
      return {
        async next() {
          const result = await source.next();
          return result.done === true ? result : { done: false, value: encodeOne(result.value) };
        },
        async return(value?: unknown) {
          return (await source.return?.(value)) ?? { done: true, value };
        },
      };
    },
  };
}
