import type { HydratedPackage } from '../../../db/search/hydrate.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';

/** A server that is a package alone; the record of the sub-registry has the whole `server.json`. */
export function presentPackage(
  found: HydratedPackage,
  score: number,
  snippetOf: (text: string) => string,
): Schemas['SearchHit'] {
  const { name, version, title, text, publisher, proof, registryType, identifier, feed } = found;
  const path = `/v0.1/servers/${encodeURIComponent(name)}/versions/latest`;
  return {
    kind: 'agent',
    title,
    snippet: snippetOf(text === '' ? name : text),
    score,
    call: { method: 'GET', path },
    remote: 'none',
    package: {
      server: name,
      version,
      registryType,
      identifier,
      publisher,
      publisherProof: proof,
      feed,
      injectionSignals: found.signals,
    },
  };
}
