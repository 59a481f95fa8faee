import type { EventView, Explanation, RunEntry, TimelineEntry } from '../../sdk/inspector/explanation-view.js'
import { formatMs } from '../terminal/screen.js'

/** The timeline of an object that `program` writes, a text for each entry. An error that repeats is written out once. */
export function timelineTexts(
  timeline: readonly TimelineEntry[],
  program: 'operator' | 'plugin' = 'plugin',
): string[] {
  if (timeline.length === 0) return ['none recorded']
  const textOf = (entry: TimelineEntry, at: number) => happened(shortened(entry, timeline[at - 1]), program)
  return timeline.map((entry, at) => `${timeOf(entry.atMs)}  ${textOf(entry, at)}`)
}

function shortened(entry: TimelineEntry, before: TimelineEntry | undefined): TimelineEntry {
  const repeats = entry.what === 'run' && before?.what === 'run' && entry.error !== undefined
  return repeats && entry.error === before.error ? { ...entry, error: 'the same' } : entry
}

/** `run success in 4 ms`, or the change or write of an object. */
function happened(entry: TimelineEntry, program: string): string {
  if (entry.what !== 'run') {
    const what = entry.what === 'write' ? `${entry.verb} by the ${program}` : entry.verb
    const object = entry.object === undefined ? '' : `${entry.object} `
    return `${entry.side.padEnd(7)}  ${object}${what}${entry.resourceVersion && `, resourceVersion ${entry.resourceVersion}`}`
  }
  return `run      ${runText(entry)}`
}

/** `success in 4 ms, 2 ms after the change`. */
export function runText({ result, durationMs, lagMs, error: problem }: RunEntry): string {
  const lag = lagMs === undefined ? '' : `, ${formatMs(lagMs)} after the change`
  const error = problem === undefined ? '' : `: ${problem}`
  return `${result} in ${formatMs(durationMs)}${lag}${error}`
}

/** The Events, a line for each. */
export function eventTexts({ events, eventsError }: Pick<Explanation, 'events' | 'eventsError'>): string[] {
  if (eventsError !== undefined) return [`could not be read: ${eventsError}`]
  return events.length === 0 ? ['none'] : events.map(eventText)
}

const eventText = ({ atMs, type, reason, message, count, from }: EventView) =>
  `${timeOf(atMs)}  ${type} ${reason}${count > 1 ? ` (${count} times)` : ''} from ${from}: ${message}`

/** The time of day in UTC. */
export const timeOf = (atMs: number) => new Date(atMs).toISOString().slice(11, 23)
