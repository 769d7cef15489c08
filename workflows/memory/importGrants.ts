import { countGrants, grantOf, saveGrant, type Space } from '../../db/memory/spaces.ts';
import type { KeyId } from '../../domain/account.ts';
import type { Writer } from '../../db/store.ts';
import type { ImportLine } from '../../domain/memory/exportLines.ts';
import { GRANTS_PER_SPACE_MAX } from '../../domain/memory/limits.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { mustBeSpendable } from '../wallet/receiver.ts';

/**
 * Makes the grants of an export on a shared space and answers how many are new or changed. A
 * private space takes none, and a line that names its owner grants nothing.
 */
export async function importGrants(
  tx: Writer,
  hub: Hub,
  space: Space,
  { lines, by }: { readonly lines: readonly ImportLine[]; readonly by: KeyId },
): Promise<number> {
  if (space.kind === 'private') return 0;
  let made = 0;
  for (const line of lines) {
    if (line.is !== 'grant' || line.grantee === space.owner) continue;
    const { grantee, canWrite } = line;
    const known = await grantOf(tx, space, grantee);
    if (known?.canWrite === canWrite) continue;
    await mustBeSpendable(hub, tx, grantee, 'body.lines');
    await saveGrant(tx, space, { grantee, canWrite, at: hub.clock.now() }, by);
    made += 1;
  }
  if (made > 0 && (await countGrants(tx, space)) > GRANTS_PER_SPACE_MAX) {
    refuse('ceiling-reached', {
      error: `The space would have more than ${GRANTS_PER_SPACE_MAX} grants.`,
      hint: 'Leave lines of grants out, or take grants back with "revoke": true first.',
    });
  }
  return made;
}
