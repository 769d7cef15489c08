import type { Hub } from '../../typescript/hub.ts';
import { jsonOr } from '../publish/conditions.ts';

export interface SentCall {
  readonly method: string;
  readonly address: string;
  /** The JSON body; undefined when there is none. */
  readonly content: unknown;
  readonly bearer: string;
  /** Whether the hub checks the call and stores nothing. */
  readonly isTrial: boolean;
}

export interface Sent {
  readonly status: number;
  readonly ms: number;
  readonly body: unknown;
  readonly isCut: boolean;
}

/** A page stays usable with this much text in it. */
const LETTERS_MAX = 100_000;

/** Sends the call. A refusal of the hub is an answer like any other. */
export async function sent(
  hub: Hub,
  { method, address, content, bearer, isTrial }: SentCall,
): Promise<Sent> {
  const headers = new Headers();
  if (content !== undefined) headers.set('content-type', 'application/json');
  if (bearer !== '') headers.set('authorization', `Bearer ${bearer}`);
  if (isTrial) headers.set('prefer', 'dry-run');
  const body = content === undefined ? null : JSON.stringify(content);
  const begun = performance.now();
  const response = await hub.send(
    new Request(hub.baseUrl + address, { method, headers, body, redirect: 'error' }),
  );
  const text = await response.text();
  const ms = Math.round(performance.now() - begun);
  const isCut = text.length > LETTERS_MAX;
  const shown = isCut ? text.slice(0, LETTERS_MAX) : jsonOr(text, text);
  return { status: response.status, ms, body: shown, isCut };
}
