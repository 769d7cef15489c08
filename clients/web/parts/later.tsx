import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Failure, Loading } from './states.tsx';

/** A page, or a part of one, whose code is loaded when it is shown for the first time. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const [Part, setPart] = useState(() => loaded);
    const [error, setError] = useState<unknown>();
    useEffect(() => {
      load()
        .then((found) => setPart(() => (loaded = found)))
        .catch((thrown: unknown) => setError(thrown));
    }, []);
    if (error !== undefined) return <Failure error={error} retry={() => location.reload()} />;
    return Part === undefined ? <Loading /> : <Part {...props} />;
  };
}
