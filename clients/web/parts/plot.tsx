import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { T } from '../texts.ts';
import { Drawing, type PlotProps } from './plotDrawing.tsx';
import { sampleText, type Sample } from './plotScale.ts';
import { ScrolledTable } from './shown.tsx';

/** Fewer values make no line that could be read, and zeros alone have no scale. */
const VALUES_MIN = 2;

export function Plot(props: PlotProps) {
  const known = props.samples.filter(({ values }) => values.some((value) => value !== undefined));
  const isZero = known.every(({ values }) => values.every((value) => value === 0));
  if (known.length >= VALUES_MIN && !isZero) return <Drawn {...props} />;
  const text = known.length === 0 ? '' : `${readout(props, known.at(-1))}. `;
  return (
    <figure class="plot">
      <figcaption>{props.title}</figcaption>
      <p class="quiet">{known.length >= VALUES_MIN ? T.plotZero : text + T.plotLater}</p>
    </figure>
  );
}

/** A drawing with what it says at one moment, its legend and its table. */
function Drawn(props: PlotProps) {
  const { title, labels, samples, unit, format, bucketMs } = props;
  const [place, width] = useWidth();
  const [pointed, setPointed] = useState<number>();
  const id = useId();
  const latest = samples.length - 1;
  const shown = Math.min(pointed ?? latest, latest);
  const text = readout(props, samples[shown]);
  return (
    <figure class="plot">
      <div class="head">
        <figcaption>
          <span id={id}>{title}</span> {unit !== '' && <small>{unit}</small>}
        </figcaption>
        <p class="readout" aria-hidden="true">
          {text}
        </p>
      </div>
      <div
        class="drawing"
        ref={place}
        // A finger leaves as soon as it is lifted, and its value stays to be read.
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setPointed(undefined)}
      >
        <Drawing {...props} width={width} shown={pointed} point={setPointed} />
        <input
          type="range"
          min={0}
          max={Math.max(0, latest)}
          value={shown}
          aria-labelledby={id}
          aria-valuetext={text}
          onInput={({ currentTarget }) => setPointed(Number(currentTarget.value))}
        />
      </div>
      {labels.length > 1 && <Legend labels={labels} />}
      <Figures {...{ title, labels, samples, unit, format, bucketMs }} />
    </figure>
  );
}

function readout({ labels, format, unit, bucketMs }: PlotProps, sample: Sample | undefined) {
  if (sample === undefined) return '';
  const values = labels.map((label, series) => {
    const value = sample.values[series];
    const words = value === undefined ? T.notMeasured : `${format(value)} ${unit}`.trim();
    return labels.length > 1 ? `${label} ${words}` : words;
  });
  return `${sampleText(sample.at, bucketMs)}: ${values.join(', ')}`;
}

function Legend({ labels }: Pick<PlotProps, 'labels'>) {
  return (
    <p class="legend">
      {labels.map((label, series) => (
        <span key={label}>
          <svg viewBox="0 0 20 6" aria-hidden="true">
            <path class={`stroke${series % 5}`} d="M0 3H20" />
          </svg>
          {label}
        </span>
      ))}
    </p>
  );
}

type FiguresProps = Pick<PlotProps, 'title' | 'labels' | 'samples' | 'unit' | 'format'> & {
  readonly bucketMs: number | undefined;
};

/** The same values as a table, newest first; its rows are made when it is opened. */
function Figures({ title, labels, samples, unit, format, bucketMs }: FiguresProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{T.plot.table}</summary>
      {isOpen && (
        <ScrolledTable label={title}>
          <thead>
            <tr>
              <th scope="col">{T.when}</th>
              {labels.map((label) => (
                <th key={label} scope="col" class="number">
                  {unit === '' ? label : `${label} (${unit})`}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...samples].reverse().map(({ at, values }, place) => (
              <tr key={place}>
                <th scope="row">{sampleText(at, bucketMs)}</th>
                {labels.map((label, series) => {
                  const value = values[series];
                  return (
                    <td key={label} class="number">
                      {value === undefined ? T.notMeasured : format(value)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </ScrolledTable>
      )}
    </details>
  );
}

/** How wide the drawing is, so that its letters keep their size on every screen. */
function useWidth() {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver((entries) => {
      const { inlineSize = 0 } = entries.at(-1)?.contentBoxSize[0] ?? {};
      // A drawing that is not shown, or on paper, keeps its last width.
      if (inlineSize > 0) setWidth(Math.round(inlineSize));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [place, width] as const;
}
