import { parseAtomic, type Atomic } from '../domain/money.ts';
import type { Settings } from './hub/settings.ts';

/** The part of the environment that is about x402; `config.ts` hands it over. */
export const X402_NAMES = [
  'HUB_X402_FACILITATOR',
  'HUB_X402_PAY_EACH',
  'HUB_X402_PAY_DAILY',
] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** USDC 0.10 a call and 10 a day, unless the operator says otherwise. */
const PAY_EACH = '100000';
const PAY_DAILY = '10000000';

/** Nothing without them: the hub takes no payments over x402 and makes none. */
export function x402Settings(
  env: Environment,
  paysUpstream: boolean,
): Pick<Partial<Settings>, 'x402Facilitator' | 'x402Upstream'> {
  const facilitator = env['HUB_X402_FACILITATOR'] || undefined;
  if (facilitator !== undefined && facilitator !== 'local' && !isHttp(facilitator)) {
    throw new Error('HUB_X402_FACILITATOR is `local` or the http address of a facilitator');
  }
  if ((facilitator !== undefined || paysUpstream) && (env['HUB_CHAIN_RPC'] ?? '') === '') {
    const name = paysUpstream ? 'X402_PAY_UPSTREAM' : 'HUB_X402_FACILITATOR';
    throw new Error(`${name} needs a chain: set HUB_CHAIN_RPC`);
  }
  return {
    ...(facilitator !== undefined && { x402Facilitator: facilitator }),
    ...(paysUpstream && {
      x402Upstream: {
        each: amount('HUB_X402_PAY_EACH', env['HUB_X402_PAY_EACH'] || PAY_EACH),
        daily: amount('HUB_X402_PAY_DAILY', env['HUB_X402_PAY_DAILY'] || PAY_DAILY),
      },
    }),
  };
}

function amount(name: string, text: string): Atomic {
  const parsed = parseAtomic(text);
  if (parsed === undefined) throw new Error(`${name} is a number of atomic units, such as 100000`);
  return parsed;
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}
