import type { WindowView, WorkView } from '../model.js'

/** A window of time. `waiting` is null if no run ended in it, so that the number of waiting keys is not known. */
export type FullWindow = Omit<WindowView, 'waiting'> & { readonly waiting: number | null }

/** The windows from the first one until now. Adds those that the program leaves out because nothing happened. */
export function fullWindows({ windows, windowMs }: Pick<WorkView, 'windows' | 'windowMs'>, nowMs: number) {
  const full: FullWindow[] = []
  for (const window of windows) {
    addEmpty(full, windowMs, window.startMs)
    full.push(window)
  }
  addEmpty(full, windowMs, nowMs - windowMs)
  return full
}

/** Adds windows without runs that start after the last one and before a time. */
function addEmpty(full: FullWindow[], windowMs: number, untilMs: number): void {
  const last = full.at(-1)
  if (!last) return
  for (let startMs = last.startMs + windowMs; startMs < untilMs; startMs += windowMs)
    full.push({ startMs, runs: 0, failures: 0, waiting: null, p50Ms: null, p99Ms: null })
}
