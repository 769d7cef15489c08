import accepted from '../../spec/vectors/signatures.json' with { type: 'json' };
import refused from '../../spec/vectors/signatures-malformed.json' with { type: 'json' };
import { fakeClock } from '../harness/clock.ts';
import { startHub, type TestHub } from '../harness/hub.ts';
import { overWire, type WireAnswer } from '../harness/wire.ts';

/** The language-neutral signature vectors, and a hub that stands in their place and time. */
interface Vector {
  readonly title: string;
  readonly nowSeconds?: number;
  readonly request: {
    readonly method: string;
    readonly target: string;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: string;
  };
}
interface Accepted extends Vector {
  readonly base: string;
  readonly baseSha256: string;
}
export interface Malformed extends Vector {
  /** The code of the 401. */
  readonly reason: string;
  /** A word of its detail. */
  readonly detail: string;
}

interface Files {
  readonly origins: readonly string[];
  readonly refusedKeys: readonly { readonly keyId: string; readonly what: string }[];
  readonly accepted: readonly Accepted[];
}

export const vectors: Files = wire(accepted);
export const malformed: {
  readonly nowSeconds: number;
  readonly cases: readonly Malformed[];
} = wire(refused);

/** The compiler knows a pair in a JSON file as a list of any length. */
function wire<T>(file: unknown): T {
  return file as T;
}

export interface VectorHub {
  readonly hub: TestHub;
  /** Sends a vector at its own time, byte for byte. */
  send(vector: Vector): Promise<WireAnswer>;
  /** The vectors share one nonce, so each is sent to a hub that has not seen it. */
  forgetNonces(): Promise<void>;
  nonces(): Promise<number>;
}

/** `origin` is the one the vectors were signed for; the test key is published, so none is safe. */
export async function openVectorHub(): Promise<VectorHub> {
  const clock = fakeClock(malformed.nowSeconds * 1000);
  const env = { HUB_BASE_URL: vectors.origins[0] ?? '' };
  const hub = await startHub({ clock, env, allowTestKey: true });
  const { store } = hub.running.hub;
  return {
    hub,
    send({ nowSeconds = malformed.nowSeconds, request }) {
      clock.jump(nowSeconds * 1000 - clock.now());
      return overWire(hub.url, request);
    },
    forgetNonces: () => store.write(async (tx) => void (await tx.knex('nonces').delete())),
    nonces: () => store.read(async (db) => (await db.knex('nonces').select('nonce')).length),
  };
}
