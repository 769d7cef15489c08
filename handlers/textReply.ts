import { sha256Hex } from '../domain/digest.ts';

/**
 * A reply whose body is JSON text that exists already; it is parsed only where a door asks. `tag`
 * is what its entity tag says, where that is known.
 */
export function textReply<Body>(text: string, tag?: string) {
  const bytes = Buffer.from(text);
  return {
    status: 200 as const,
    headers: { etag: `W/"${tag ?? sha256Hex(bytes).slice(0, 32)}"` },
    encoded: { bytes },
    get body(): Body {
      return JSON.parse(text) as Body;
    },
  };
}
