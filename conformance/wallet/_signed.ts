import { plain } from '../harness/agents.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';

/** Tests of each signed operation with an owner in its path; `path` starts after the owner. */
export function onlyTheOwner(
  open: () => Fixture,
  method: 'GET' | 'POST',
  path: string,
  body?: () => Readonly<Record<string, unknown>>,
): void {
  const send = async (
    how: 'alice' | 'bob' | 'anyone',
  ): Promise<{ readonly request: Request; readonly world: Fixture }> => {
    const world = open();
    const target = `${walletPath(world.alice)}${path}`;
    const request =
      how === 'anyone'
        ? plain(world.hub, method, target, body?.())
        : await world[how].signed(method, target, body?.());
    return { request, world };
  };

  it('asks for a signature', async () => {
    const { request, world } = await send('anyone');
    mustRefuse(await world.anyone.send(request), 401, 'unsigned');
  });

  it("takes no other account's signature", async () => {
    const { request, world } = await send('bob');
    mustRefuse(await world.anyone.send(request), 401, 'wrong-owner');
  });

  it('takes a signed request once', async () => {
    const { request, world } = await send('alice');
    mustOk(await world.anyone.send(request.clone()));
    mustRefuse(await world.anyone.send(request), 401, 'replayed');
  });

  it('refuses an owner that is no account', async () => {
    const { alice } = open();
    const answer = await alice.send(
      await alice.signed(method, `/api/v1/wallet/key:0OIl${path}`, body?.()),
    );
    mustRefuse(answer, 400, 'bad-account');
  });
}

export function walletPath({ account }: { readonly account: string }): string {
  return `/api/v1/wallet/${account}`;
}
