import { T } from '../texts.ts';
import { nearest, timeTicks, valueTicks, type Sample } from './plotScale.ts';

/** Values over time with axes, readable by pointer, keyboard, screen reader and on paper. */
export interface PlotProps {
  /** Names the plot and its table. */
  readonly title: string;
  /** A name for each series; one series needs no legend. */
  readonly labels: readonly string[];
  readonly samples: readonly Sample[];
  /** A line joins samples, steps hold each value until the next one, bars are sums of a time. */
  readonly kind: 'line' | 'steps' | 'bars';
  readonly from: number;
  readonly until: number;
  /** A value in words, with its unit where it is not that of the axis. */
  readonly format: (value: number) => string;
  readonly unit: string;
  /** The time that one sample sums up. */
  readonly bucketMs?: number;
  /** The top of the value axis where it is known, such as 100 percent. */
  readonly top?: number;
  /** The step that the value axis must not divide: 1 for counts and atomic units. */
  readonly smallest?: number;
}

const HEIGHT = 200;
const BOTTOM = 24;
const TOP = 8;
/** Half of the longest time, which stands in the middle below its moment. */
const RIGHT = 28;
const LETTER = 6.8;
const LABEL_WIDTH = 68;

interface DrawingProps extends PlotProps {
  readonly width: number;
  readonly shown: number | undefined;
  readonly point: (sample: number | undefined) => void;
}

export function Drawing({ width, shown, point, ...props }: DrawingProps) {
  const { title, labels, samples, kind, from, until, format, unit, bucketMs = 0 } = props;
  const known = samples.flatMap(({ values }) => values.filter((value) => value !== undefined));
  const { top = Math.max(0, ...known), smallest = 0 } = props;
  const ticks = valueTicks(Math.min(0, ...known), top, { smallest });
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  const longest = Math.max(...ticks.map((tick) => format(tick).length));
  const left = Math.max(RIGHT, 10 + LETTER * longest);
  const inner = Math.max(1, width - left - RIGHT);
  const end = Math.max(until, from + 1);
  const x = (at: number) => left + ((at - from) * inner) / (end - from);
  const y = (value: number) =>
    HEIGHT - BOTTOM - ((value - low) * (HEIGHT - BOTTOM - TOP)) / (high - low);
  const scales: Scales = { x, y, end, bucketMs };
  const seek = (event: PointerEvent & { readonly currentTarget: SVGSVGElement }): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const seen = ((event.clientX - box.left) * width) / Math.max(1, box.width);
    const at = from + ((seen - left) * (end - from)) / inner;
    point(nearest(samples, at - bucketMs / 2));
  };
  return (
    <svg
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={T.plot.about(title, unit)}
      onPointerMove={seek}
      onPointerDown={seek}
    >
      {ticks.map((tick) => (
        <g key={tick}>
          <line class="rule" x1={left} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} />
          <text x={left - 6} y={y(tick) + 4} text-anchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      {timeTicks(from, end, Math.max(2, Math.floor(inner / LABEL_WIDTH))).map(({ at, label }) => (
        <text key={at} x={x(at)} y={HEIGHT - 6} text-anchor="middle">
          {label}
        </text>
      ))}
      {labels.map((label, series) =>
        kind === 'bars' ? (
          <Bars key={label} {...{ samples, series, scales, shown }} count={labels.length} />
        ) : (
          <path
            key={label}
            class={`stroke${series % 5}`}
            d={pathOf(samples, series, scales, kind === 'steps')}
          />
        ),
      )}
      {shown !== undefined && samples[shown] !== undefined && (
        <Marked sample={samples[shown]} scales={scales} isBar={kind === 'bars'} />
      )}
    </svg>
  );
}

interface Scales {
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
  readonly end: number;
  readonly bucketMs: number;
}

/** Returns the path of one series. A missing value leaves a gap. */
function pathOf(samples: readonly Sample[], series: number, scales: Scales, isSteps: boolean) {
  const { x, y, end } = scales;
  let isJoined = false;
  const moves = samples.map(({ at, values }) => {
    const value = values[series];
    if (value === undefined) {
      isJoined = false;
      return '';
    }
    const to = `${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
    const move = !isJoined
      ? `M${to}`
      : isSteps
        ? `H${x(at).toFixed(1)}V${y(value).toFixed(1)}`
        : `L${to}`;
    isJoined = true;
    return move;
  });
  const path = moves.join('');
  if (path === '') return path;
  // One sample of a line alone would draw nothing, so it is drawn as a dot.
  return `${path}${isSteps && isJoined ? `H${x(end).toFixed(1)}` : 'h0.01'}`;
}

interface BarsProps {
  readonly samples: readonly Sample[];
  readonly series: number;
  readonly count: number;
  readonly scales: Scales;
  readonly shown: number | undefined;
}

function Bars({ samples, series, count, scales, shown }: BarsProps) {
  const { x, y, bucketMs } = scales;
  return (
    <>
      {samples.map(({ at, values }, place) => {
        const value = values[series] ?? 0;
        const whole = x(at + bucketMs) - x(at);
        const width = Math.max(1, (whole * 0.8) / count);
        const top = y(Math.max(0, value));
        return (
          <rect
            key={place}
            class={`part${series % 5}${shown === undefined || shown === place ? '' : ' dim'}`}
            x={x(at) + whole * 0.1 + width * series}
            y={top}
            width={width}
            height={Math.max(0, y(0) - top)}
          />
        );
      })}
    </>
  );
}

interface MarkedProps {
  readonly sample: Sample;
  readonly scales: Scales;
  readonly isBar: boolean;
}

function Marked({ sample: { at, values }, scales: { x, y }, isBar }: MarkedProps) {
  if (isBar) return null;
  return (
    <>
      <line class="mark" x1={x(at)} x2={x(at)} y1={TOP} y2={HEIGHT - BOTTOM} />
      {values.map(
        (value, series) =>
          value !== undefined && (
            <circle key={series} class={`part${series % 5}`} cx={x(at)} cy={y(value)} r="4" />
          ),
      )}
    </>
  );
}
