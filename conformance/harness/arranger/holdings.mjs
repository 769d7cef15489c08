import { TOOL } from './place.mjs';
import { newAccount } from './account.mjs';

/** The state that must exist for operations on an account's notes, keys and hosted listing. */
const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

export function holdingSetups({ alice, bob, post, get, unused, opened }) {
  const own = `/api/v1/wallet/${alice.account}`;
  let spaces = 0;

  async function space() {
    spaces += 1;
    const body = { owner: alice.account, name: `prices-${spaces}`, kind: 'shared' };
    const { id } = await post(alice, '/api/v1/memory/spaces', body);
    return id;
  }

  async function noted() {
    const spaceId = await space();
    const note = { author: alice.account, spaceId, key: 'plans/2026-11' };
    const content = 'The pricing page lists five plans; the second is billed yearly.';
    await post(alice, '/api/v1/memory', { ...note, content, idempotencyKey: unused() });
    const grantee = { grantee: bob.account, canWrite: true };
    await post(alice, '/api/v1/memory/grants', { owner: alice.account, spaceId, ...grantee });
    return spaceId;
  }

  /**
   * Its tool is free, so that any account may call it; the holder of a listing replaces it for
   * free.
   */
  async function listed() {
    const { id: listing } = await post(alice, '/api/v1/hosted', {
      owner: alice.account,
      keyId: alice.keyId,
      endpoint: `${await opened()}/mcp`,
      tools: [{ name: TOOL.name, description: TOOL.description }],
      name: 'Price reader',
      idempotencyKey: unused(),
    });
    return { listing };
  }

  /** A key that may join the account, with a policy. */
  async function limited({ keyId } = newAccount()) {
    await post(alice, `${own}/keys/${keyId}/policy`, { perDay: '1000000', approveAbove: '10' });
    return { path: { keyId } };
  }

  /** A test world of its account, which has one at a time. */
  async function worldOpened() {
    await post(alice, '/api/v1/me/world', {});
    return {};
  }

  /** A payment of a limited key that waits for its owner. */
  async function asking() {
    const key = newAccount();
    await limited(key);
    for (const by of [key, alice]) await post(by, `${own}/keys`, { publicKey: key.keyId });
    const body = { to: bob.account, amount: '20', idempotencyKey: unused() };
    const refused = await post(key, `${own}/pay`, body).catch(({ message }) => message);
    return { path: { id: /"approvalId":"([^"]+)"/.exec(refused)[1] } };
  }

  async function called() {
    await listed();
    const words = { from: 'EUR', to: 'USD', amount: '12.50' };
    await post(undefined, `/api/v1/hosted/${alice.keyId}/call`, {
      tool: TOOL.name,
      arguments: words,
    });
    return {};
  }

  async function hooked() {
    const { webhooks } = await get(alice, '/api/v1/me/webhooks');
    for (const { id } of webhooks) await post(alice, `/api/v1/me/webhooks/${id}/delete`, {});
    const { id } = await post(alice, '/api/v1/me/webhooks', { url: `${await opened()}/hook` });
    return { path: { id } };
  }

  const streamed = async (type) => (type === 'text/event-stream' ? { body: { stream: true } } : {});
  return {
    'wallet.recall': async () => {
      const body = { address: ADDRESS, amount: '50000', idempotencyKey: unused() };
      const { id } = await post(alice, `${own}/withdraw`, body);
      return { path: { id } };
    },
    'wallet.setPolicy': () => limited(),
    'wallet.revokeKey': () => limited(),
    'wallet.exportMandate': () => limited(),
    'wallet.approvals': async () => void (await asking()) ?? {},
    'wallet.decide': asking,
    'wallet.revokeApiKey': async () => {
      const { id } = await post(alice, `${own}/api-keys`, {});
      return { path: { id } };
    },
    'wallet.events': async (type) =>
      type === 'text/event-stream' ? { query: { stream: 'true' }, isEndless: true } : {},
    'memory.renameSpace': async () => ({ path: { id: await space() } }),
    'memory.deleteSpace': async () => ({ path: { id: await space() } }),
    'files.delete': async () => {
      const file = { key: 'reports/2026-11.json', contentBase64: 'eyJwbGFucyI6NX0=' };
      const body = { owner: alice.account, ...file, idempotencyKey: unused() };
      await post(alice, '/api/v1/files', body);
      return {};
    },
    'memory.readSpace': async () => ({ path: { id: await noted() } }),
    'memory.export': async () => ({ path: { id: await noted() } }),
    'memory.import': async () => ({ path: { id: await space() } }),
    'memory.grant': async () => ({ body: { spaceId: await space() } }),
    'memory.write': async () => ({ body: { spaceId: await space() } }),
    'memory.search': async () => ({ body: { spaceId: await noted() } }),
    'models.chat': streamed,
    'models.completions': streamed,
    'models.responses': streamed,
    'models.messages': streamed,
    'models.generate': async (type) =>
      type === 'text/event-stream' ? { path: { rest: 'hub/echo:streamGenerateContent' } } : {},
    'hosted.publish': async () => {
      const endpoint = `${await opened()}/mcp`;
      return { body: { endpoint, tools: [{ ...TOOL, priceAtomic: '2000' }] } };
    },
    'worlds.read': worldOpened,
    'worlds.advance': worldOpened,
    'worlds.close': worldOpened,
    'hosted.list': listed,
    'hosted.delete': listed,
    'hosted.call': listed,
    'hosted.calls': called,
    'hosted.card': listed,
    'webhooks.update': hooked,
    'webhooks.delete': hooked,
    'webhooks.test': hooked,
    'webhooks.deliveries': hooked,
  };
}
