import type {
  EventView,
  Explanation,
  RunEntry,
  TimelineEntry,
} from '../../sdk/engine/inspector/explanation-view.js'
import { formatMs } from '../terminal/screen.js'
import { foldRepeats, type Repeats } from './fold-repeats.js'
import { PrintedMessages } from './printed-messages.js'

/**
 * The timeline of an object that `program` writes, a text for each entry. An error that repeats is written out once,
 * and entries that repeat are folded into their last time.
 */
export function timelineTexts(
  timeline: readonly TimelineEntry[],
  program: 'operator' | 'plugin' = 'plugin',
): string[] {
  if (timeline.length === 0) return ['none recorded']
  const textOf = (entry: TimelineEntry, index: number) =>
    entryText(shortened(entry, timeline[index - 1]), program)
  const entries = timeline.map((entry, index) => ({ entry, text: textOf(entry, index) }))
  return foldRepeats(entries, ({ entry }) => signatureOf(entry)).flatMap((foldedEntry) =>
    'times' in foldedEntry
      ? [repeatsText(foldedEntry), ...foldedEntry.last.map(lineOf)]
      : [lineOf(foldedEntry)],
  )
}

interface Line {
  readonly entry: TimelineEntry
  readonly text: string
}

const lineOf = ({ entry, text }: Line) => `${timeOfDay(entry.atMs)}  ${text}`

const repeatsText = ({ times, first, last }: Repeats<Line>) =>
  `${timeOfDay(first.entry.atMs)}  ${times} times the following ${last.length === 1 ? 'entry' : `${last.length} entries`}, the last time:`

/** Equal for entries that differ only in their time, duration or resourceVersion. */
function signatureOf(entry: TimelineEntry): string {
  if (entry.what === 'run') return JSON.stringify(['run', entry.result, entry.error])
  if (entry.what === 'process') return JSON.stringify(['process', entry.text])
  return JSON.stringify([entry.what, entry.verb, entry.side, entry.object])
}

function shortened(entry: TimelineEntry, before: TimelineEntry | undefined): TimelineEntry {
  const repeats = entry.what === 'run' && before?.what === 'run' && entry.error !== undefined
  return repeats && entry.error === before.error ? { ...entry, error: 'the same' } : entry
}

/** `run success in 4 ms`, or the change or write of an object. */
function entryText(entry: TimelineEntry, program: string): string {
  if (entry.what === 'process')
    return `program  ${entry.text} ${entry.verb === 'started' ? 'started' : ''}`.trimEnd()
  if (entry.what !== 'run') {
    const actionText = entry.what === 'write' ? `${entry.verb} by the ${program}` : entry.verb
    const object = entry.object === undefined ? '' : `${entry.object} `
    return `${entry.side.padEnd(7)}  ${object}${actionText}${entry.resourceVersion && `, resourceVersion ${entry.resourceVersion}`}`
  }
  return `run      ${runText(entry)}`
}

/** `success in 4 ms, 2 ms after the change`. */
export function runText({ result, durationMs, lagMs, error: problem }: RunEntry): string {
  const lag = lagMs === undefined ? '' : `, ${formatMs(lagMs)} after the change`
  const error = problem === undefined ? '' : `: ${problem}`
  return `${result} in ${formatMs(durationMs)}${lag}${error}`
}

/** The Events, a line for each. A long message that `printed` has already is replaced by `as above`. */
export function eventTexts(
  { events, eventsError }: Pick<Explanation, 'events' | 'eventsError'>,
  printed = new PrintedMessages(),
): string[] {
  if (eventsError !== undefined) return [`could not be read: ${eventsError}`]
  return events.length === 0 ? ['none'] : events.map((event) => eventText(event, printed))
}

const eventText = ({ atMs, type, reason, message, count, from }: EventView, printed: PrintedMessages) =>
  `${timeOfDay(atMs)}  ${type} ${reason}${count > 1 ? ` (${count} times)` : ''} from ${from}: ${printed.textOf(message)}`

/** The time of day in UTC. */
export const timeOfDay = (atMs: number) => new Date(atMs).toISOString().slice(11, 23)
