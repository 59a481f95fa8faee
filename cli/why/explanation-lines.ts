import type { ControllerExplanation } from '../../sdk/engine/inspector/controller-explanation.js'
import type { Difference, Explanation } from '../../sdk/engine/inspector/explanation-view.js'
import { shardText } from '../../sdk/engine/inspector/shard-text.js'
import { formatKey } from '../../sdk/engine/kube/key.js'
import { escaped } from '../../sdk/engine/observe/log-text.js'
import { formatMs, type Screen, type Style } from '../terminal/screen.js'
import { controllerRows } from './controller-rows.js'
import { eventTexts, timelineTexts } from './history-texts.js'
import { type Row, rowsAs } from './rows.js'

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
export function explanationLines(
  explanation: Explanation | ControllerExplanation,
  { styled }: Pick<Screen, 'styled'>,
): string[] {
  const rows = 'controller' in explanation ? controllerRows(explanation) : syncerRows(explanation)
  return [
    `${headline(explanation, styled)}  ${styled('bold', escaped(explanation.summary))}`,
    '',
    ...rowsAs(rows, { styled }),
  ]
}

function headline(
  { state, shard, hasVirtual, hasHost }: Explanation | ControllerExplanation,
  styled: Screen['styled'],
): string {
  if (shard !== null && !shard.isOurs) return styled('yellow', 'elsewhere')
  // Nothing is what the syncer wants then, but a reader who mistyped the name must see it first.
  if (!hasVirtual && !hasHost && state === 'in sync') return styled('yellow', 'not found')
  return styled(styles[state], state)
}

function syncerRows(explanation: Explanation): Row[] {
  const { syncer, apiVersion, kind, shard } = explanation
  return [
    ['syncer', `${syncer} (${apiVersion} ${kind})`],
    ...(shard ? [['shard', shardText(shard)] as const] : []),
    ['virtual', placeText(formatKey(explanation), explanation.hasVirtual)],
    ['host', hostText(explanation)],
    ['owned', ...ownershipTexts(explanation)],
    ['differs', ...differenceTexts(explanation)],
    ['next run', nextText(explanation)],
    ['history', ...timelineTexts(explanation.timeline)],
    ['events', ...eventTexts(explanation)],
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
  const comparedObject = comparedWith === 'wanted' ? 'what the syncer wants' : 'its original'
  if (differences.length === 0) return [`no: the copy equals ${comparedObject}`]
  const lines = [`from ${comparedObject}:`, ...differences.slice(0, maxDifferences).map(differenceText)]
  const hiddenCount = differences.length - maxDifferences
  return hiddenCount > 0 ? [...lines, `and ${hiddenCount} more fields`] : lines
}

const differenceText = ({ path, wanted, found }: Difference) =>
  `${path}: wanted ${wanted ?? '(missing)'}, found ${found ?? '(missing)'}`

function nextText({ isRunning, isWaiting, dueInMs, failures }: Explanation): string {
  const after = failures > 0 ? `, after ${failures} failures in a row` : ''
  if (isRunning) return `running now${after}`
  if (isWaiting) return `when a worker is free${after}`
  return dueInMs === null ? 'at the next change' : `in ${formatMs(dueInMs)}${after}`
}
