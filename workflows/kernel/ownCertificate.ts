import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect } from 'node:tls';

const ANSWER_MS_MAX = 5_000;
const USUAL_PORT = 443;

/**
 * When the certificate ends that callers of an address are shown, whether this process or a proxy
 * shows it, in milliseconds since 1970. Undefined without TLS and without an answer.
 */
export async function certificateEnd(address: string): Promise<number | undefined> {
  const { protocol, hostname, port } = new URL(address);
  if (protocol !== 'https:') return undefined;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const socket = connect({
    host,
    port: Number(port) || USUAL_PORT,
    ...(isIP(host) === 0 && { servername: host }),
    // An expired certificate is what this is for.
    rejectUnauthorized: false,
  });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    const end = Date.parse(socket.getPeerCertificate().valid_to);
    return Number.isNaN(end) ? undefined : end;
  } catch {
    return undefined;
  } finally {
    socket.on('error', () => undefined).destroy();
  }
}
