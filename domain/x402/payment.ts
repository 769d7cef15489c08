import { defined } from '../defined.ts';
import { isObject, type JsonObject } from '../jsonObject.ts';
import { parseAtomic, type Atomic } from '../money.ts';
import { evmAddress, isEvmAddress, type EvmAddress, type Hex } from '../rails/evm.ts';
import { openEnvelope } from './envelope.ts';
import { refused, type RefusedPayment } from './words.ts';

/**
 * A payment of X-PAYMENT (version 1) or PAYMENT-SIGNATURE (version 2): a wallet's signed order to
 * move tokens once (EIP-3009). It is judged elsewhere, and unknown fields are ignored.
 */
export interface Payment {
  readonly x402Version: 1 | 2;
  /** The chain as the version names it. */
  readonly chain: string;
  /** The terms that the payer states to accept; version 2 alone repeats them. */
  readonly accepted?: Accepted;
  readonly authorization: Authorization;
  /** 65 bytes: r, s, v. */
  readonly signature: Hex;
  /** The whole payload as it came, for a facilitator elsewhere. */
  readonly wire: JsonObject;
}

export interface Authorization {
  readonly from: EvmAddress;
  readonly to: EvmAddress;
  readonly value: Atomic;
  /** Unix seconds; the order counts strictly between the two. */
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  /** 32 bytes, lower-case. */
  readonly nonce: Hex;
}

interface Accepted {
  readonly asset: string;
  readonly payTo: string;
  readonly amount: string;
}

const SIGNATURE = /^0x[0-9a-fA-F]{130}$/;
const NONCE = /^0x[0-9a-fA-F]{64}$/;
const SECONDS = /^(?:0|[1-9][0-9]{0,77})$/;

export interface PaymentHeaders {
  readonly v1: string | undefined;
  readonly v2: string | undefined;
}

/** The payment of a request; undefined without one. Two at once are ambiguous and refused. */
export function readPayment({ v1, v2 }: PaymentHeaders): Payment | RefusedPayment | undefined {
  if (v1 === undefined && v2 === undefined) return undefined;
  if (v1 !== undefined && v2 !== undefined) {
    return refused('invalid_payload', 'X-PAYMENT and PAYMENT-SIGNATURE came together; send one');
  }
  const [name, text, version] =
    v2 === undefined
      ? (['X-PAYMENT', v1 ?? '', 1] as const)
      : (['PAYMENT-SIGNATURE', v2, 2] as const);
  const opened = openEnvelope(text);
  if (!opened.ok) return refused('invalid_payload', `${name} cannot be read: ${opened.why}`);
  if (!isObject(opened.value)) {
    return refused('invalid_payload', `${name} cannot be read: what it holds is no object`);
  }
  return readPayload(opened.value, version);
}

/** A payload that was decoded already, as the doors carry it. */
export function readPayload(wire: JsonObject, version: 1 | 2): Payment | RefusedPayment {
  if (wire['x402Version'] !== version) {
    const header = version === 1 ? 'X-PAYMENT' : 'PAYMENT-SIGNATURE';
    return refused(
      'invalid_x402_version',
      `${header} carries x402Version ${version}, and no other`,
    );
  }
  const terms = version === 1 ? wire : wire['accepted'];
  if (!isObject(terms)) return refused('invalid_payload', '`accepted` is missing');
  if (terms['scheme'] !== 'exact') {
    return refused('unsupported_scheme', 'the scheme is not `exact`, the one that this hub takes');
  }
  const { network } = terms;
  if (typeof network !== 'string') return refused('invalid_network', '`network` is missing');
  const accepted = version === 1 ? undefined : acceptedOf(terms);
  if (version === 2 && accepted === undefined) {
    return refused('invalid_payload', '`accepted` needs asset, payTo and amount as texts');
  }
  const signed = signedOf(wire['payload']);
  if ('fault' in signed) return signed;
  return {
    x402Version: version,
    chain: network,
    ...defined({ accepted }),
    ...signed,
    wire,
  };
}

function acceptedOf({ asset, payTo, amount }: JsonObject): Accepted | undefined {
  if (typeof asset !== 'string' || typeof payTo !== 'string' || typeof amount !== 'string') {
    return undefined;
  }
  return { asset, payTo, amount };
}

function signedOf(payload: unknown): Pick<Payment, 'authorization' | 'signature'> | RefusedPayment {
  const given = isObject(payload) ? payload['authorization'] : undefined;
  const signature = isObject(payload) ? payload['signature'] : undefined;
  if (!isObject(given)) {
    return refused('invalid_payload', '`payload.authorization` is missing (EIP-3009)');
  }
  if (typeof signature !== 'string' || !SIGNATURE.test(signature)) {
    const why = '`payload.signature` is not the 65 bytes of a wallet with a key of its own';
    return refused('invalid_exact_evm_payload_signature', why);
  }
  const { from, to, nonce } = given;
  if (!isEvmAddress(from) || !isEvmAddress(to)) {
    return refused('invalid_payload', '`from` and `to` of the authorization are addresses');
  }
  if (typeof nonce !== 'string' || !NONCE.test(nonce)) {
    return refused('invalid_payload', '`nonce` of the authorization is 0x and 64 hex digits');
  }
  const value = typeof given['value'] === 'string' ? parseAtomic(given['value']) : undefined;
  if (value === undefined) {
    const why = '`value` of the authorization is not an amount of atomic units as text';
    return refused('invalid_exact_evm_payload_authorization_value', why);
  }
  const [validAfter, validBefore] = [
    secondsIn(given, 'validAfter'),
    secondsIn(given, 'validBefore'),
  ];
  if (validAfter === undefined || validBefore === undefined) {
    const why = '`validAfter` and `validBefore` are Unix seconds as text';
    return refused('invalid_payload', why);
  }
  return {
    authorization: {
      from: evmAddress(from),
      to: evmAddress(to),
      value,
      validAfter,
      validBefore,
      nonce: nonce.toLowerCase() as Hex,
    },
    signature: signature as Hex,
  };
}

function secondsIn(given: JsonObject, name: string): bigint | undefined {
  const text = given[name];
  return typeof text === 'string' && SECONDS.test(text) ? BigInt(text) : undefined;
}
