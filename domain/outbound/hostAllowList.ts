/** The `host:port` pairs that an operator opened, in one spelling; they open nothing else. */
export type HostAllowList = ReadonlySet<string>;

const PAIR_GRAMMAR = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+):([1-9][0-9]{0,4})$/;
const PORT_MAX = 65_535;
export const HOST_ALLOW_LIST_MAX = 200;

/** Reads `agents.lan:8080, [::1]:4030`; undefined at a bad entry, so a typo opens nothing else. */
export function parseHostAllowList(text: string): HostAllowList | undefined {
  const entries = text.split(',').map((entry) => entry.trim().toLowerCase());
  const named = entries.filter((entry) => entry !== '');
  if (named.length > HOST_ALLOW_LIST_MAX) return undefined;
  const pairs = new Set<string>();
  for (const entry of named) {
    const [, host = '', port = ''] = PAIR_GRAMMAR.exec(entry) ?? [];
    if (host === '' || Number(port) > PORT_MAX || !isPlainHost(host)) return undefined;
    pairs.add(hostPair(host, Number(port)));
  }
  return pairs;
}

export function hostPair(host: string, port: number): string {
  return `${host}:${port}`;
}

/** Whether a URL would spell the host the same way; `0x7f.1` and `[0::1]` it would not. */
function isPlainHost(host: string): boolean {
  const url = `http://${host}/`;
  return URL.canParse(url) && new URL(url).hostname === host && !host.endsWith('.');
}
