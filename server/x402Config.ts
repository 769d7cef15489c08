import type { Settings } from './hub/settings.ts';

/** The part of the environment that is about x402; `config.ts` hands it over. */
export const X402_NAMES = ['HUB_X402_FACILITATOR'] as const;

/** Nothing without it: the hub takes no payments over x402. */
export function x402Settings(
  env: Readonly<Record<string, string | undefined>>,
): Pick<Partial<Settings>, 'x402Facilitator'> {
  const facilitator = env['HUB_X402_FACILITATOR'] || undefined;
  if (facilitator === undefined) return {};
  if (facilitator !== 'local' && !isHttp(facilitator)) {
    throw new Error('HUB_X402_FACILITATOR is `local` or the http address of a facilitator');
  }
  if ((env['HUB_CHAIN_RPC'] ?? '') === '') {
    throw new Error('HUB_X402_FACILITATOR needs a chain: set HUB_CHAIN_RPC');
  }
  return { x402Facilitator: facilitator };
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}
