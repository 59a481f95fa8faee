import type { Overview } from '../../inspect/inspector/model.js'
import { type Clock, sleep } from '../../observe/clock.js'
import { formatMs } from './screen.js'

/** How far a plugin has come with what it begins with: its first lists, then a run for every object. */
export interface StartProgress {
  done: number
  total: number
  /** `1,200 of 10,000 objects, 400 a second, 22.0 s left` */
  text: string
}

/** Options of {@link followStart}. */
export interface FollowStartOptions {
  /** Asks the plugin; rejects while it does not answer. */
  read: () => Promise<Overview>
  /** Hears how far it is while that takes long, and undefined when it has ended. */
  onProgress: (progress: StartProgress | undefined) => void
  /** Between two of these, in milliseconds. */
  everyMs: number
  clock: Clock
  signal: AbortSignal
}

/** What takes less time than this, in milliseconds, is not worth a word. */
const shortMs = 3000
/** How often the plugin is asked, at the least, in milliseconds. */
const askMs = 1000

/** Follows a plugin from its start until it has nothing to do for the first time. Resolves then, or with the signal. */
export async function followStart(options: FollowStartOptions): Promise<void> {
  const { read, onProgress, everyMs, clock, signal } = options
  const gauge = new StartGauge()
  const pauseMs = Math.min(everyMs, askMs)
  const begunAtMs = clock.now()
  let toldAtMs = begunAtMs + shortMs - everyMs
  while (!signal.aborted) {
    // It does not answer before it is up, and not after its end.
    const overview = await read().catch(() => undefined)
    const progress = overview && gauge.progressOf(overview)
    if (progress === 'over') break
    if (progress && clock.now() - toldAtMs >= everyMs && !signal.aborted) {
      toldAtMs = clock.now()
      onProgress(progress)
    }
    await sleep(clock, pauseMs, signal).catch(() => {})
  }
  onProgress(undefined)
}

/** Tells from what a plugin says of itself how far its start has come. */
export class StartGauge {
  #mostKeys = 0

  /** Undefined while there is nothing to measure, `over` when there is nothing left to do. */
  progressOf({ plugin, syncers, watches }: Overview): StartProgress | 'over' | undefined {
    const lists = watches.filter(({ served }) => served)
    const open = lists.filter(({ synced }) => !synced)
    if (open.length > 0) return listing(lists, open.length)
    const left = sum(syncers.map(({ load }) => load.waiting + load.running))
    if (left === 0) return plugin.isRunning ? 'over' : undefined
    this.#mostKeys = Math.max(this.#mostKeys, left)
    return syncing(left, this.#mostKeys, sum(syncers.map(({ perSecond }) => perSecond)))
  }
}

function listing(lists: Overview['watches'], open: number): StartProgress {
  const [total, objects] = [lists.length, sum(lists.map((one) => one.objects))]
  const text = `reading: ${total - open} of ${total} first lists, ${count(objects)} objects`
  return { done: total - open, total, text }
}

function syncing(left: number, total: number, perSecond: number): StartProgress {
  const done = total - left
  const pace =
    perSecond > 0 ? `, ${count(perSecond)} a second, ${formatMs((left / perSecond) * 1000)} left` : ''
  return { done, total, text: `syncing: ${count(done)} of ${count(total)} objects${pace}` }
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)
const count = (number: number) => Math.round(number).toLocaleString('en')
