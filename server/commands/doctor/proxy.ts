import { generateKey, signer, signRequest } from '../../../clients/typescript/sign.ts';
import { isObject } from '../../../domain/jsonObject.ts';
import type { Settings } from '../../../workflows/kernel/settings.ts';
import { fail, ok, warn, type Finding } from './finding.ts';

const ANSWER_MS_MAX = 5_000;
/** Requests that each claim another address, of a block that is reserved for documentation. */
const CLAIMED = Array.from({ length: 6 }, (_, n) => `203.0.113.${n + 1}`);

/** Calls the hub at HUB_BASE_URL, as its callers do, through whatever proxy is in front of it. */
export async function proxyFindings(settings: Settings): Promise<readonly Finding[]> {
  const { baseUrl } = settings;
  const [ready, why] = await call(new Request(`${baseUrl}/readyz`));
  if (ready === undefined) {
    const remedy = 'Start the hub; if it runs, correct DNS, certificate or proxy.';
    return [warn('proxy', `${baseUrl} does not answer (${why})`, remedy)];
  }
  if (!ready.ok) {
    const text = `${baseUrl}/readyz answers ${ready.status}`;
    return [fail('proxy', text, 'The proxy must pass every path to the hub.')];
  }
  return [await signature(baseUrl), ...(await addresses(settings))];
}

/** The hub verifies a signed request, so path, query, host and body arrived unchanged. */
async function signature(baseUrl: string): Promise<Finding> {
  const key = await generateKey();
  const body = JSON.stringify({ hello: 'doctor' });
  const headers = { 'content-type': 'application/json' };
  const url = `${baseUrl}/api/v1/quickstart/check`;
  const request = new Request(url, { method: 'POST', headers, body });
  const [answer] = await call(await signRequest(request, signer(key), Date.now()));
  const judged: unknown = await answer?.json().catch(() => undefined);
  if (isObject(judged) && judged['verified'] === true) {
    return ok('proxy', `${baseUrl} passes signed requests unchanged`);
  }
  const fix = isObject(judged) ? String(judged['fix'] ?? judged['error'] ?? '') : '';
  const remedy = 'The proxy must keep Host, path, query and body; compare HUB_BASE_URL.';
  return fail('proxy', `a signed request is rejected at ${baseUrl}. ${fix}`.trim(), remedy);
}

/** All requests come from here, so they must share one limit, whatever address they claim. */
async function addresses({
  rateLimits,
  baseUrl,
  tls,
  trustedProxies,
}: Settings): Promise<readonly Finding[]> {
  if (!rateLimits) return [warn('limits', 'HUB_RATE_LIMITS is off', 'Turn it on for the public.')];
  const answers = await Promise.all(
    CLAIMED.map((ip) =>
      call(new Request(`${baseUrl}/api/v1`, { headers: { 'x-forwarded-for': ip } })),
    ),
  );
  const left = new Set(answers.map(([answer]) => answer?.headers.get('x-ratelimit-remaining')));
  if (left.size === 1) {
    const remedy =
      'The proxy must append its own view to X-Forwarded-For; shorten HUB_TRUSTED_PROXIES.';
    return [fail('limits', 'callers can claim another address', remedy)];
  }
  if (tls === undefined && baseUrl.startsWith('https:') && trustedProxies.isEmpty) {
    const remedy = "Set HUB_TRUSTED_PROXIES to the proxy's address.";
    return [fail('limits', 'all callers share the rate limit of the proxy', remedy)];
  }
  return [ok('limits', 'callers cannot claim another address')];
}

async function call(
  request: Request,
): Promise<readonly [answer: Response | undefined, why: string]> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    return [await fetch(request, { signal }), ''];
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return [undefined, cause instanceof Error ? cause.message : String(cause)];
  }
}
