// The only importer of the chart library, loaded with the first chart.
import './language';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

export interface ChartOptions {
  /** Seconds. */
  times: number[];
  values: number[];
  label: string;
  format: (value: number) => string;
}

/** A bar per day, in the colors of the theme. */
export class DayChart {
  readonly #plot: uPlot;
  readonly #element: HTMLElement;
  readonly #resize: ResizeObserver;

  constructor(element: HTMLElement, { times, values, label, format }: ChartOptions) {
    this.#element = element;
    const style = getComputedStyle(element);
    const color = (name: string): string => style.getPropertyValue(name).trim();
    const axis = { stroke: color('--text-2'), grid: { stroke: color('--border-subtle'), width: 1 }, ticks: { show: false }, font: `11px ${color('--font-ui')}` };
    const bars = uPlot.paths.bars?.({ size: [0.7, 42] });
    const dates = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
    this.#plot = new uPlot(
      {
        ...this.#size(),
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: true, range: (_, from, to) => [from - 43_200, to + 43_200] }, y: { range: (_, __, top) => [0, top > 0 ? top * 1.08 : 1] } },
        axes: [
          { ...axis, grid: { show: false }, size: 28, space: 56, values: (_, splits) => splits.map((seconds) => dates.format(seconds * 1000)), incrs: [86_400, 2 * 86_400, 7 * 86_400, 14 * 86_400, 30 * 86_400, 90 * 86_400] },
          { ...axis, size: 64, values: (_, splits) => splits.map(format) },
        ],
        series: [{}, { label, stroke: color('--accent'), fill: color('--accent'), width: 0, points: { show: false }, ...(bars ? { paths: bars } : {}) }],
      },
      [times, values],
      element,
    );
    this.#resize = new ResizeObserver(() => this.#plot.setSize(this.#size()));
    this.#resize.observe(element);
  }

  destroy(): void {
    this.#resize.disconnect();
    this.#plot.destroy();
  }

  #size(): { width: number; height: number } {
    return { width: Math.max(160, this.#element.clientWidth), height: 240 };
  }
}
