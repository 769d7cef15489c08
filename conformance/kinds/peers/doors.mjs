// The MCP door against a bare server of the official SDK with one tool, on the same machine.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { interleave, line, ratio, serve } from '../bench/harness.mjs';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const CONNECTIONS = 8;
const HUB = 4431;
const BARE = 4432;
/** The target for the door's time, as a multiple of the bare server's. */
const AIM = 1.3;

export async function doors() {
  const folder = mkdtempSync(join(tmpdir(), 'hub-bench-'));
  const children = await Promise.all([
    serve('../peers/servers/wholeHub.mjs', HUB, [join(folder, 'hub.sqlite')]),
    serve('../peers/servers/mcpSdk.mjs', BARE),
  ]);
  try {
    const call = (name) => ['tools/call', { name, arguments: {} }];
    const rps = await interleave(
      {
        hubList: () => load(HUB, ['tools/list', {}]),
        bareList: () => load(BARE, ['tools/list', {}]),
        hubCall: () => load(HUB, call('discovery-networks')),
        bareCall: () => load(BARE, call('networks')),
        hubRoute: () => load(HUB),
      },
      ROUNDS,
    );
    line(
      `MCP door, requests/s at ${CONNECTIONS} connections (median of ${ROUNDS} interleaved rounds of ${SECONDS} s)`,
    );
    for (const [name, figure] of Object.entries(rps)) line(`  ${name}: ${Math.round(figure)}`);
    ratio('time of tools/list, 25 tools against one', rps.bareList / rps.hubList, AIM, 'less');
    ratio('time of tools/call of a public read', rps.bareCall / rps.hubCall, AIM, 'less');
    line(
      `  time of the same read by its route: ${(rps.hubCall / rps.hubRoute).toFixed(2)} of the call's`,
    );
  } finally {
    for (const child of children) child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A JSON-RPC request over and over, or the plain route when there is none. */
async function load(port, rpc) {
  const origin = `http://127.0.0.1:${port}`;
  const [method, params] = rpc ?? [];
  const accept = 'application/json, text/event-stream';
  const result = await autocannon({
    ...(rpc
      ? {
          url: `${origin}/mcp`,
          method: 'POST',
          headers: { 'content-type': 'application/json', accept },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        }
      : { url: `${origin}/api/v1/networks` }),
    connections: CONNECTIONS,
    duration: SECONDS,
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`port ${port}: ${result.non2xx} refusals, ${result.errors} errors`);
  return result.requests.average;
}
