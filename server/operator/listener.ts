import { createServer, type Server } from 'node:http';
import type { Entrance } from '../boot/entrance.ts';
import { logFailure } from '../../workflows/kernel/logFailure.ts';
import { operatorAnswer, type OperatorParts } from './endpoints.ts';

/** The operator's own port (`HUB_METRICS_PORT`): every client that reaches it is trusted. */
export async function listenForOperator(
  parts: OperatorParts,
  entrance: Entrance,
  at: { readonly host: string; readonly port: number },
): Promise<Server> {
  const server = createServer((request, response) => {
    const { url = '/', headers } = request;
    const path = url.split('?', 1)[0] ?? url;
    void operatorAnswer(path, parts, headers.authorization, true)
      .catch((error: unknown) => {
        logFailure(parts.hub.log, error, 'the metrics could not be read');
        return { status: 503, type: 'text/plain', body: 'it failed; the log says why\n' };
      })
      .then((answer) => {
        const { status, type, body } = answer ?? { status: 404, type: 'text/plain', body: '' };
        response.writeHead(status, { 'content-type': type, connection: 'close' }).end(body);
      });
  });
  await entrance.open(server, { name: 'operator', ...at });
  return server;
}
