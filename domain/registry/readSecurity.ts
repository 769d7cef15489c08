import { type JsonObject, isObject, listOf } from '../jsonObject.ts';
import { cleanLine } from './text.ts';

/**
 * Reads the authentication of a card, in every shape of it (choices registry.formats): wrapped
 * schemes of 1.0, OpenAPI schemes of 0.3 with or without their `type`, and the list of 0.1.
 */
const SCHEMES_MAX = 20;

/** Schemes in one word each, such as `oauth2`, `apikey`, `bearer`; empty without any. */
export function schemeNames(card: JsonObject): readonly string[] {
  const { securitySchemes, authentication } = card;
  const declared = isObject(securitySchemes) ? Object.values(securitySchemes) : [];
  const early = isObject(authentication) ? listOf(authentication['schemes']) : [];
  const names = [...declared.map(schemeName), ...early.map((each) => cleanLine(each, 64))];
  const known = names.flatMap((name) => (name === undefined ? [] : [name.toLowerCase()]));
  return [...new Set(known)].slice(0, SCHEMES_MAX);
}

/** Whether every call must be authenticated: a requirement that is not empty stands alone. */
export function isRequired(card: JsonObject): boolean {
  const requirements = [...listOf(card['securityRequirements']), ...listOf(card['security'])];
  const { authentication } = card;
  const early = isObject(authentication) ? listOf(authentication['schemes']) : [];
  if (requirements.length === 0) {
    return early.some((each) => !['none', 'public', ''].includes(String(each).toLowerCase()));
  }
  return requirements.every((each) => {
    if (!isObject(each)) return false;
    const inner = isObject(each['schemes']) ? each['schemes'] : each;
    return Object.keys(inner).length > 0;
  });
}

/** From wrapper key (1.0), `type` (0.3), or what only one kind of scheme has. */
function schemeName(scheme: unknown): string | undefined {
  if (!isObject(scheme)) return undefined;
  const wrapped = Object.entries(scheme).find(([key]) => key.endsWith('SecurityScheme'));
  if (wrapped !== undefined) {
    const [key, inner] = wrapped;
    if (key === 'httpAuthSecurityScheme' && isObject(inner)) return httpName(inner);
    return key.slice(0, -'SecurityScheme'.length);
  }
  const type = cleanLine(scheme['type'], 64);
  if (type === 'http') return httpName(scheme);
  if (type !== undefined) return type;
  if ('flows' in scheme) return 'oauth2';
  if ('openIdConnectUrl' in scheme) return 'openIdConnect';
  if ('scheme' in scheme) return httpName(scheme);
  return 'in' in scheme || 'location' in scheme ? 'apiKey' : undefined;
}

function httpName(scheme: JsonObject): string {
  return cleanLine(scheme['scheme'], 64) ?? 'http';
}
