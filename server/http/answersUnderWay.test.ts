import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { until } from '../../conformance/harness/waiting.ts';
import { openAnswersUnderWay } from './answersUnderWay.ts';

const GET = 'GET / HTTP/1.1\r\nhost: here\r\n\r\n';

describe('answers under way', () => {
  const answers = openAnswersUnderWay();
  const owed: ServerResponse[] = [];
  const server = createServer((request, response) => {
    answers.add(request, response);
    owed.push(response);
  });
  before((done) => void server.listen(0, '127.0.0.1', done));
  after((done) => void server.close(done));
  const count = (): number => answers.all().length;
  const client = (requests: number) => {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined).resume();
    socket.write(GET.repeat(requests));
    return socket;
  };

  it('end with the answer', async () => {
    const socket = client(1);
    await until(() => count() === 1);
    owed.pop()?.end('done');
    await until(() => count() === 0);
    socket.destroy();
  });

  it('end with the connection, also behind another one that is owed', async () => {
    const socket = client(20);
    await until(() => count() === 20);
    socket.destroy();
    await until(() => count() === 0);
  });
});
