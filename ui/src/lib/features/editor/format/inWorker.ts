import type { Edit, Lines } from './format';
import { FormatError } from './formatters';
import type { FormatResponse, FormatRequest } from './worker';

const LONGEST_MS = 15_000;

/** `formatEdits`, in a worker that ends with it. */
export function formatBeside(path: string, text: string, lines: Lines | null): Promise<Edit[]> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const reply = new Promise<Edit[]>((resolve, reject) => {
    timer = setTimeout(() => reject(new FormatError('Formatting took too long')), LONGEST_MS);
    worker.onerror = () => reject(new FormatError('Couldn’t start the formatter'));
    worker.onmessage = ({ data }: MessageEvent<FormatResponse>) => {
      if ('edits' in data) resolve(data.edits);
      else reject(new FormatError(data.refused, data.line));
    };
    worker.postMessage({ path, text, lines } satisfies FormatRequest);
  });
  return reply.finally(() => {
    clearTimeout(timer);
    worker.terminate();
  });
}
