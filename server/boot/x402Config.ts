import { parseAtomic, ZERO } from '../../domain/money.ts';
import type { PayUpstream, Settings } from '../../workflows/kernel/settings.ts';

export const X402_NAMES = ['HUB_X402_FACILITATOR', 'X402_PAY_UPSTREAM'] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** Nothing without them: the hub takes no payments over x402, and makes none. */
export function x402Settings(
  env: Environment,
): Pick<Partial<Settings>, 'x402Facilitator' | 'x402PayUpstream'> {
  return { ...facilitatorSetting(env), ...upstreamSetting(env) };
}

function facilitatorSetting(env: Environment): Pick<Partial<Settings>, 'x402Facilitator'> {
  const facilitator = env['HUB_X402_FACILITATOR'] || undefined;
  if (facilitator === undefined) return {};
  if (facilitator !== 'local' && !isHttp(facilitator)) {
    throw new Error('HUB_X402_FACILITATOR is `local` or the http address of a facilitator');
  }
  if ((env['HUB_CHAIN_RPC'] ?? '') === '') {
    throw new Error('HUB_X402_FACILITATOR needs a chain: set HUB_CHAIN_RPC');
  }
  if (facilitator === 'local' && (env['HUB_TREASURY_KEY'] ?? '') === '') {
    throw new Error('HUB_X402_FACILITATOR=local settles by the hot wallet: set HUB_TREASURY_KEY');
  }
  return { x402Facilitator: facilitator };
}

function upstreamSetting(env: Environment): Pick<Partial<Settings>, 'x402PayUpstream'> {
  const text = env['X402_PAY_UPSTREAM'] ?? '';
  if (text === '') return {};
  const x402PayUpstream = ceilingsIn(text);
  if (x402PayUpstream === undefined) {
    throw new Error(
      'X402_PAY_UPSTREAM is two amounts of atomic units with a comma between, the most for a call and for a day: 50000,5000000',
    );
  }
  for (const name of ['HUB_CHAIN_RPC', 'HUB_TREASURY_KEY']) {
    if ((env[name] ?? '') === '') throw new Error(`X402_PAY_UPSTREAM needs ${name}`);
  }
  return { x402PayUpstream };
}

function ceilingsIn(text: string): PayUpstream | undefined {
  const [call, day, ...more] = text.split(',').map((each) => parseAtomic(each.trim()));
  if (call === undefined || day === undefined || more.length > 0) return undefined;
  return call > ZERO && call <= day ? { callMax: call, dayMax: day } : undefined;
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}
