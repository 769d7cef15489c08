import { useState } from 'preact/hooks';
import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { bytesText } from '../format.ts';
import { useLoad, useReloadOn } from '../load.ts';
import { go } from '../navigation.ts';
import { Choice, Field, Form, Once, Submit } from '../parts/fields.tsx';
import { Account, Badge, Section } from '../parts/shown.tsx';
import { Failure, With } from '../parts/states.tsx';
import { usePress } from '../press.ts';
import { pathTo } from '../routes.ts';
import { useFormDraft } from '../session.ts';
import { storageTexts as S } from '../texts/storage.ts';
import { Change, Remove, Rename, Rows } from './change.tsx';
import type { Space, StorageProps } from './own.ts';
import { SpaceFile } from './spaceFile.tsx';

const LIMIT = 50;
const KINDS = ['private', 'shared'] as const;

const spacePath = (id: string): string => pathTo('account/storage', { space: id });

interface SpacesProps extends StorageProps {
  readonly version: number;
  readonly open: string | undefined;
}

export function Spaces(props: SpacesProps) {
  const { hub, account, version, open, changed } = props;
  const [after, setAfter] = useState<string>();
  const query = { limit: LIMIT, ...(after !== undefined && { cursor: after }) };
  const spaces = useLoad(`spaces ${account} ${after ?? ''}`, async (signal) =>
    unwrap(await hub.GET('/api/v1/memory/spaces', { params: { query }, signal })),
  );
  useReloadOn(version, spaces.reload);
  return (
    <Section title={S.spaces.title} lead={S.spaces.lead}>
      <With of={spaces}>
        {(page) => (
          <Rows
            title={S.spaces.title}
            none={S.spaces.none}
            rows={page.spaces}
            keyOf={({ id }) => id}
            row={(space) => <OneSpace {...props} space={space} isOpen={space.id === open} />}
            after={after}
            next={page.nextCursor}
            show={setAfter}
          />
        )}
      </With>
      <MakeSpace hub={hub} account={account} changed={changed} />
    </Section>
  );
}

interface OneSpaceProps extends StorageProps {
  readonly space: Space;
  readonly isOpen: boolean;
}

function OneSpace({ hub, account, changed, space, isOpen }: OneSpaceProps) {
  const { id, owner, name, kind, notes, bytes, model } = space;
  const path = { id };
  const rename = async (to: string): Promise<void> => {
    const body = { owner: account, name: to };
    unwrap(await hub.POST('/api/v1/memory/spaces/{id}/rename', { params: { path }, body }));
    changed();
  };
  const remove = async (): Promise<void> => {
    await deleteSpace(hub, account, id);
    if (isOpen) go(pathTo('account/storage'), { replace: true });
    changed();
  };
  return (
    <>
      <p class="meta">
        <a href={spacePath(id)} {...(isOpen && { 'aria-current': 'true' })}>
          {name}
        </a>
        <Badge tone="quiet">{S.spaces.kinds[kind]}</Badge>
        {model !== undefined && <Badge tone="quiet">{model}</Badge>}
        <span>{S.spaces.holds(notes, bytesText(bytes))}</span>
        {owner !== account && <Account name={owner} />}
      </p>
      <SpaceFile hub={hub} account={account} changed={changed} space={space} />
      {owner === account && (
        <Change name={name}>
          <Rename key={name} name={name} label={S.spaces.name} rename={rename} />
          <Remove name={name} question={S.spaces.sure(name, notes)} work={remove} />
        </Change>
      )}
    </>
  );
}

/** One call deletes 200 notes, and an account has 10,000 at most. */
const CALLS_MAX = 60;

async function deleteSpace(hub: Hub, owner: string, id: string): Promise<void> {
  const params = { path: { id } };
  for (let call = 0; call < CALLS_MAX; call += 1) {
    const { gone } = unwrap(
      await hub.POST('/api/v1/memory/spaces/{id}/delete', { params, body: { owner } }),
    );
    if (gone) return;
  }
}

export function MakeSpace({ hub, account, changed }: StorageProps) {
  const [{ name, kind, model }, change, clear] = useFormDraft<{
    name: string;
    kind: (typeof KINDS)[number];
    model: string;
  }>('new space', { name: '', kind: 'private', model: '' });
  const models = useLoad('models of vectors', async (signal) => {
    const all = unwrap(await hub.GET('/api/v1/models', { signal })).models;
    return all.filter(({ dimensions }) => dimensions !== undefined).map(({ id }) => id);
  });
  const press = usePress(hub, {
    form: 'make a space',
    what: S.spaces.spaceOf(name.trim()),
    work: async (once) => {
      const body = { owner: account, name: name.trim(), kind, ...(model !== '' && { model }) };
      const { id } = unwrap(await once.POST('/api/v1/memory/spaces', { body }));
      clear();
      changed();
      go(spacePath(id), { replace: true });
    },
  });
  return (
    <Once press={press}>
      <Form label={S.spaces.make} onSubmit={() => press.run()}>
        <Field
          label={S.spaces.newName}
          value={name}
          onInput={(text) => change({ name: text })}
          hint={S.spaces.nameHint}
        />
        <Choice
          label={S.spaces.kind}
          value={kind}
          options={KINDS.map((each) => [each, S.spaces.kinds[each]] as const)}
          onChange={(value) => change({ kind: value === 'shared' ? 'shared' : 'private' })}
        />
        <Choice
          label={S.spaces.model}
          value={model}
          options={[
            ['', S.spaces.noModel],
            ...(models.value ?? []).map((each) => [each, each] as const),
          ]}
          onChange={(value) => change({ model: value })}
        />
        <p class="quiet">{S.spaces.modelHint}</p>
        <Submit isRunning={press.isRunning} isOff={name.trim() === ''}>
          {S.spaces.make}
        </Submit>
        {press.error !== undefined && <Failure error={press.error} />}
      </Form>
    </Once>
  );
}
