import type {
  ConditionView,
  ControllerExplanation,
  OwnedView,
} from '../../sdk/engine/inspector/controller-explanation.js'
import type { DriftView, ReleaseView, RevisionView } from '../../sdk/engine/inspector/release-view.js'
import { shardText } from '../../sdk/engine/inspector/shard-text.js'
import { formatKey } from '../../sdk/engine/kube/key.js'
import { eventTexts, runText, timelineTexts, timeOfDay } from './history-texts.js'
import { PrintedMessages } from './printed-messages.js'
import type { Row } from './rows.js'

/** The number of owned objects, revisions and drifts that are shown. */
const maxShown = 12

/** The explanation of an object of a controller. */
export function controllerRows(explanation: ControllerExplanation): Row[] {
  const { controller, apiVersion, kind, cluster, shard, lastRun, waitsFor } = explanation
  const exists = explanation.hasVirtual ? '' : ' (does not exist)'
  const printed = new PrintedMessages(explanation.facts.flatMap(({ texts }) => texts))
  return [
    ['controller', `${controller} (${apiVersion} ${kind})`],
    ...(shard ? [['shard', shardText(shard)] as const] : []),
    ['object', `${formatKey(explanation)} in ${cluster}${exists}`],
    ['last run', lastRun ? `${timeOfDay(lastRun.atMs)}  ${runText(lastRun)}` : 'none recorded'],
    ['waits for', ...(waitsFor.length > 0 ? waitsFor : ['a change'])],
    ...explanation.facts.map(({ name, texts }): Row => [name, ...texts]),
    ['conditions', ...orNone(explanation.conditions.map((condition) => conditionText(condition, printed)))],
    ['owns', ...orNone(cut(explanation.owned.map(ownedText)))],
    ...releaseRows(explanation),
    ['history', ...timelineTexts(explanation.timeline, explanation.program)],
    ['events', ...eventTexts(explanation, printed)],
  ]
}

const orNone = (texts: readonly string[]) => (texts.length > 0 ? texts : ['none'])

function cut(texts: readonly string[]): string[] {
  const hiddenCount = texts.length - maxShown
  return hiddenCount > 0 ? [...texts.slice(0, maxShown), `and ${hiddenCount} more`] : [...texts]
}

function conditionText({ type, status, reason, message }: ConditionView, printed: PrintedMessages): string {
  return `${type}=${status}${reason && ` ${reason}`}${message && `: ${printed.textOf(message)}`}`
}

function ownedText({ kind, namespace, name, problem }: OwnedView): string {
  return `${kind} ${formatKey({ namespace, name })}${problem === null ? '' : `: ${problem}`}`
}

function releaseRows({ releaseDetails: release, releaseError }: ControllerExplanation): Row[] {
  if (releaseError !== undefined) return [['release', `could not be read: ${releaseError}`]]
  if (!release) return []
  return [
    ['release', releaseText(release)],
    ...(release.latest ? [['revision', revisionText(release.latest, release.stage)] as const] : []),
    ['drift', ...driftTexts(release)],
    ...readinessRows(release),
    ['before', ...cut(earlier(release))],
  ]
}

function releaseText({ name, namespace, isOwn, latest, objects }: ReleaseView): string {
  const objectName = `${name} in ${namespace}`
  if (!latest) return `${objectName} (does not exist)`
  const count = `${objects.length} ${objects.length === 1 ? 'object' : 'objects'}`
  return `${objectName}, ${latest.chart}, ${count}${isOwn ? '' : ' (belongs to another object or program)'}`
}

function revisionText({ revision, status, description }: RevisionView, stage: string | null): string {
  return `${revision} ${status}${stage === null ? '' : ` at ${stage}`}${description && `: ${description}`}`
}

function driftTexts({ drift }: ReleaseView): string[] {
  if (drift === null) return ['not known, because the latest revision is not deployed']
  return drift.length === 0 ? ['none: the objects are as deployed'] : cut(drift.map(driftText))
}

/** The rows about objects that are not ready; none if all are ready, or if that is unknown. */
function readinessRows({ notReady }: ReleaseView): Row[] {
  return notReady && notReady.length > 0 ? [['not ready', ...cut(notReady)]] : []
}

const driftText = ({ object, fields }: DriftView) =>
  fields.length === 0 ? `${object} is gone` : `${object} differs at ${fields.join(', ')}`

/** The earlier revisions as texts, the latest one first. */
function earlier({ revisions }: ReleaseView): string[] {
  return revisions
    .slice(0, -1)
    .reverse()
    .map((revision) => revisionText(revision, null))
}
