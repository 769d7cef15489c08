import type { MergedListing } from '../../domain/registry/probeResult.ts';
import type { CrawlReport } from '../../domain/registry/target.ts';
import { tellingOf } from '../../domain/registry/telling.ts';
import type { ProbedOrigin } from './probe.ts';

/** Why an origin is not listed, by the probe that came closest, and what to change. */
type Why = Pick<CrawlReport, 'why' | 'fix'>;

export function verdictOfProbe(seen: ProbedOrigin, made: readonly MergedListing[]): Why {
  if (made.length > 0) return {};
  const quote = seen.quotes[0];
  if (quote !== undefined) {
    return {
      why: `${quote.endpoint} quotes a price over x402 and is kept at GET /api/v1/x402; listings speak A2A or MCP, and it spoke neither.`,
      fix: 'Nothing, unless it is to be listed: then serve an agent card or an MCP endpoint.',
    };
  }
  const silent = seen.results.find(({ verdict }) => verdict === 'unknown');
  const probe = tellingOf(seen.steps);
  if (probe === undefined) {
    const why =
      silent === undefined ? 'Nothing was asked.' : `The probe has no verdict: ${silent.message}`;
    return { why, fix: 'Submit the address of the card or of the MCP endpoint.' };
  }
  const { outcome, url, detail, fix } = probe;
  if (outcome === 'not-found') {
    return {
      why: 'Neither an agent card nor an MCP endpoint was found where they usually are.',
      fix: 'Serve a card at /.well-known/agent-card.json or MCP at /mcp, or submit the exact address.',
    };
  }
  return {
    why: `${url}: ${detail}`,
    fix: fix ?? 'See the requests in `probes`; the first that is not ok is where to begin.',
  };
}
