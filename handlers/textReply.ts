import { sha256Hex } from '../domain/digest.ts';

/** Replies with existing JSON text, parsed only where a door asks; `tag` is its entity tag. */
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
