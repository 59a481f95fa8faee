import isEqual from 'lodash/isEqual.js'
import { valueAt } from '../../../engine/kube/json-object.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { formatValuePath } from '../../values/value-path.js'
import type { Drift } from '../objects/drift-finder.js'
import { objectName, type ReleaseObject } from '../objects/release-object.js'
import type { ReleaseRun } from '../run/release-run.js'
import { writeIfOurs } from './check-not-foreign.js'

/**
 * Corrects an object that differs from the manifest of its release. An Event names the changed fields. If another
 * program keeps changing them back, they are corrected more and more rarely, and one Event reports this.
 */
export async function correctObject(
  run: ReleaseRun,
  drift: Drift,
  before: KubeObject | undefined,
): Promise<void> {
  const correctable = run.drift.correctablePart(drift, before)
  const held = drift.fields.filter((field) => !correctable?.fields.includes(field))
  if (!correctable || held.length > 0)
    await reportContest(run, { ...drift, paths: held.map(formatValuePath) })
  if (correctable) await correctNow(run, correctable, before)
}

/** Applies the intended object, and reports in an Event which fields that changed. */
async function correctNow(
  run: ReleaseRun,
  { object, fields, paths }: Drift,
  before: KubeObject | undefined,
): Promise<void> {
  const after = await writeIfOurs(run, object, () => run.live.apply(object))
  run.drift.noteCorrected({ object, paths })
  run.drift.noteApplied(object, after)
  const changed = fields.filter((field) => !isEqual(valueAt(before, field), valueAt(after, field)))
  // A field that the API server stores in another form differs, too, although its value did not change.
  if (before && changed.length === 0) return
  if (run.drift.mayReport(object, run.ctx.clock.now()))
    run.ctx.events.normal('DriftCorrected', driftSentence({ object, paths: changed.map(formatValuePath) }))
}

/** The sentence about the changed fields of an object, or about its deletion. */
export const driftSentence = ({ object, paths }: Sentence) =>
  paths.length === 0
    ? `${objectName(object)} was deleted`
    : `${objectName(object)} was changed at ${paths.join(', ')}`

type Sentence = Pick<Drift, 'object' | 'paths'>

/** Reports once, in an Event, that another program keeps changing fields back. */
async function reportContest(run: ReleaseRun, { object, paths }: Sentence): Promise<void> {
  const contested = paths.length === 0 ? undefined : run.drift.unreported(object, paths)
  if ((contested ?? run.drift.unreported(object)).length === 0) return
  const rivals = contested ? await run.live.rivals(object) : []
  const message = contestSentence({ object, paths: contested ?? [] }, rivals)
  run.drift.noteContest(object, message, contested)
  run.ctx.events.warning('FieldContested', message)
}

function contestSentence({ object, paths }: Sentence, rivals: readonly string[]): string {
  if (paths.length === 0)
    return (
      `${objectName(object)} is deleted by another program each time that this release creates it. Stop that program, or leave the object out of ` +
      'the chart. Until then it is created more and more rarely.'
    )
  const others = rivals.length > 0 ? `another program (${rivals.join('; ')})` : 'another program'
  return (
    `${objectName(object)}: ${paths.join(', ')} is set back by ${others} each time that this release corrects it. If that program decides, ` +
    `add ${ignoreRule(object, paths)} to ignoreDrift; otherwise stop it. Until then it is corrected more and more rarely.`
  )
}

/** An entry of `ignoreDrift`. */
function ignoreRule({ resource, key }: ReleaseObject, paths: readonly string[]): string {
  const kind = resource.group === '' ? resource.kind : `${resource.kind}.${resource.group}`
  const list = paths.map((path) => `'${path.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`).join(', ')
  return `{ kind: '${kind}', name: '${key.name}', paths: [${list}] }`
}
