/** The messages about contests of syncers, for Events and the log. They name fields, without values. */
import { fewNames } from '../../../engine/kube/few-names.js'

/** A part of a copy that is copied to its original. */
export type CopiedUp = 'status' | 'finalizers'

const advice =
  'Let one of them decide: name the field in excludeFields, excludedLabels or excludedAnnotations of the syncer (for a copy ' +
  'in the virtual cluster: in excludeFields, labels or annotations), or change the other program, which may be an admission ' +
  'policy or webhook. Until then it is'

export const resetMessage = (id: string, fields: readonly string[]) =>
  `another program sets ${fewNames(fields)} of the copy ${id} to a different value each time. ${advice} put ` +
  'right more and more rarely.'

export const upMessage = (key: string, part: CopiedUp, fields: readonly string[]) =>
  `another program sets ${fewNames(fields)} of ${key} in the virtual cluster to a different value than its copy has, each ` +
  `time. Stop that program, which may be an admission policy or webhook${adviceUp[part]} copied up more and more rarely.`

const adviceUp = {
  status: '; or leave the field out of statusUp or of the fields of syncUpStatus. Until then the status is',
  finalizers: '. Until then the finalizers are',
}

export const deletedMessage = (id: string) =>
  `another program deletes the copy ${id} each time. If it is vcluster itself, turn off its own sync of this kind, as ` +
  '`vcluster-plugin manifest` prints it (sync.toHost or sync.fromHost in vcluster.yaml); else stop that program. Until ' +
  'then the copy is created more and more rarely.'

export const exchangeMessage = ({
  id,
  original,
  fields,
}: {
  id: string
  original: string
  fields: readonly string[]
}) =>
  `programs of both clusters set ${fewNames(fields)} of ${original} and of its copy ${id} to different values each time. ` +
  `${advice} brought to the other side more and more rarely.`
