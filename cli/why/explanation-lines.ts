import type {
  Difference,
  EventView,
  Explanation,
  TimelineEntry,
} from '../../sdk/inspector/explanation-view.js'
import { shardText } from '../../sdk/inspector/summary.js'
import { formatKey } from '../../sdk/kube/key.js'
import { formatMs, type Screen, type Style } from '../terminal/screen.js'

const styles: Readonly<Record<Explanation['state'], Style>> = {
  'in sync': 'green',
  pending: 'yellow',
  'not copied': 'yellow',
  'left alone': 'dim',
  'name conflict': 'red',
  quarantined: 'red',
  'given up': 'red',
}
/** Number of shown differences. */
const maxDifferences = 12

/** An explanation as lines of text. */
export function explanationLines(explanation: Explanation, { styled }: Pick<Screen, 'styled'>): string[] {
  const { state, summary, syncer, apiVersion, kind, shard } = explanation
  const isElsewhere = shard !== null && !shard.isOurs
  const row = (name: string, text: string) => `${styled('dim', name.padEnd(10))}  ${text}`
  const rows = (name: string, texts: readonly string[]) =>
    texts.map((text, at) => row(at === 0 ? name : '', text))
  return [
    `${isElsewhere ? styled('yellow', 'elsewhere') : styled(styles[state], state)}  ${styled('bold', summary)}`,
    '',
    row('syncer', `${syncer} (${apiVersion} ${kind})`),
    ...(shard ? [row('shard', shardText(shard))] : []),
    row('virtual', placeText(formatKey(explanation), explanation.hasVirtual)),
    row('host', hostText(explanation)),
    ...rows('owned', ownershipTexts(explanation)),
    ...rows('differs', differenceTexts(explanation)),
    row('next run', nextText(explanation)),
    ...rows('history', timelineTexts(explanation.timeline)),
    ...rows('events', eventTexts(explanation)),
  ]
}

const placeText = (name: string, isThere: boolean) => `${name}${isThere ? '' : ' (does not exist)'}`

function hostText({ host, hasHost, ownership }: Explanation): string {
  if (host === null) return 'none'
  return ownership.owned === false ? `${host} (not a copy of this object)` : placeText(host, hasHost)
}

function ownershipTexts({ ownership: { owned, reasons } }: Explanation): string[] {
  const [first = '', ...rest] = reasons
  if (owned === null) return [first, ...rest]
  return [`${owned ? 'yes' : 'no'}: ${first}`, ...rest]
}

function differenceTexts({ differences, comparedWith }: Explanation): string[] {
  if (comparedWith === null) return ['nothing to compare']
  const wanted = comparedWith === 'wanted' ? 'what the syncer wants' : 'its original'
  if (differences.length === 0) return [`no: the copy equals ${wanted}`]
  const shown = [`from ${wanted}:`, ...differences.slice(0, maxDifferences).map(differenceText)]
  const left = differences.length - maxDifferences
  return left > 0 ? [...shown, `and ${left} more fields`] : shown
}

const differenceText = ({ path, wanted, found }: Difference) =>
  `${path}: wanted ${wanted ?? '(missing)'}, found ${found ?? '(missing)'}`

function nextText({ isRunning, isWaiting, dueInMs, failures }: Explanation): string {
  const after = failures > 0 ? `, after ${failures} failures in a row` : ''
  if (isRunning) return `running now${after}`
  if (isWaiting) return `when a worker is free${after}`
  return dueInMs === null ? 'at the next change' : `in ${formatMs(dueInMs)}${after}`
}

function timelineTexts(timeline: readonly TimelineEntry[]): string[] {
  if (timeline.length === 0) return ['none recorded']
  return timeline.map((entry) => `${timeOf(entry.atMs)}  ${happened(entry)}`)
}

function happened(entry: TimelineEntry): string {
  if (entry.what !== 'run') {
    const what = entry.what === 'write' ? `${entry.verb} by the plugin` : entry.verb
    return `${entry.side.padEnd(7)}  ${what}${entry.resourceVersion && `, resourceVersion ${entry.resourceVersion}`}`
  }
  const lag = entry.lagMs === undefined ? '' : `, ${formatMs(entry.lagMs)} after the change`
  const error = entry.error === undefined ? '' : `: ${entry.error}`
  return `run      ${entry.result} in ${formatMs(entry.durationMs)}${lag}${error}`
}

function eventTexts({ events, eventsError }: Explanation): string[] {
  if (eventsError !== undefined) return [`could not be read: ${eventsError}`]
  return events.length === 0 ? ['none'] : events.map(eventText)
}

const eventText = ({ atMs, type, reason, message, count, from }: EventView) =>
  `${timeOf(atMs)}  ${type} ${reason}${count > 1 ? ` (${count} times)` : ''} from ${from}: ${message}`

/** The time of day in UTC. */
const timeOf = (atMs: number) => new Date(atMs).toISOString().slice(11, 23)
