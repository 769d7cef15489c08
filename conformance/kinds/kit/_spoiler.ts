import { createServer, request, type IncomingMessage } from 'node:http';

/** A proxy in front of a hub that passes everything on, except for the answers that it spoils. */
export interface Answer {
  /** The path of the request, without its query. */
  readonly path: string;
  readonly status: number;
  /** An empty value takes a header away. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Spoiler {
  readonly url: string;
  spoil(how: (answer: Answer) => Answer): void;
  close(): Promise<void>;
}

export async function openSpoiler(port: number, hubPort: number): Promise<Spoiler> {
  let spoil = (answer: Answer): Answer => answer;
  const server = createServer((incoming, outgoing) => {
    const { method, url = '/', headers } = incoming;
    const target = { host: '127.0.0.1', port: hubPort, path: url, method, headers };
    const onward = request(target, (answered) => {
      void wholeOf(answered).then((bytes) => {
        const text = bytes.toString();
        const { statusCode: status = 0, headers: given } = answered;
        const kept = Object.entries(given).filter(([name]) => !HOP_BY_HOP.includes(name));
        const answer = spoil({
          path: url.split('?')[0] ?? '',
          status,
          headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
          text,
        });
        const sent = Object.entries(answer.headers).filter(([, value]) => value !== '');
        outgoing.writeHead(answer.status, Object.fromEntries(sent));
        // A compressed body is no text; it goes on as it came.
        const body = answer.text === text ? bytes : answer.text;
        outgoing.end(method === 'HEAD' ? undefined : body);
      });
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    spoil: (how) => {
      spoil = how;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'content-length'];

async function wholeOf(message: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
