/**
 * The names of the workloads of a Module that were put to sleep. They are recorded before the first one sleeps: an
 * aborted sleep returns nothing to its manager, but the Module must not be ready while one of the workloads sleeps.
 */

import * as z from 'zod'
import { groupOfApiVersion } from '../../../engine/kube/api-version.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { moduleLabel } from '../../manager/client-cluster.js'
import type { ModuleCluster, ModuleObjectReference } from '../../manager/module-cluster.js'
import type { WorkloadName } from '../../manager/scaling.js'
import { sleepNote, whyAwake } from '../../sleep/sleeping-workload.js'
import type { ModuleAnnotations } from '../definition/module-annotations.js'

/** The annotation with the workloads of a Module that sleep. */
const sleepersAnnotation = 'forkspacer.com/sleepers'

/** The maximum number of characters of the annotation. Kubernetes allows 256 KiB for all annotations of an object. */
const maxCharacters = 32_768

const namesSchema = z.array(
  z.object({ apiVersion: z.string(), kind: z.string(), namespace: z.string().optional(), name: z.string() }),
)

/** The workloads in the annotation of a Module; none if somebody wrote another text. */
export function sleepersOf(annotations: Readonly<Record<string, string>> | undefined): WorkloadName[] {
  try {
    return namesSchema.parse(JSON.parse(annotations?.[sleepersAnnotation] ?? '[]'))
  } catch {
    return []
  }
}

/** Records workloads that are about to be put to sleep. */
export async function addSleepers(
  annotations: ModuleAnnotations,
  workloads: readonly WorkloadName[],
): Promise<void> {
  const recorded = sleepersOf(annotations.module.metadata.annotations)
  const names = [
    ...new Set([...recorded, ...workloads].map((workload) => JSON.stringify(nameOnly(workload)))),
  ]
  while (names.join().length + 2 > maxCharacters) names.pop()
  const text = `[${names.join()}]`
  if (annotations.get(sleepersAnnotation) !== text) await annotations.set(sleepersAnnotation, text)
}

const nameOnly = ({ apiVersion, kind, namespace, name }: WorkloadName) => ({
  apiVersion,
  kind,
  ...(namespace !== undefined && namespace !== '' && { namespace }),
  name,
})

/** Wakes the recorded workloads that still sleep, because their manager did not know them. */
export async function wakeSleepers(
  annotations: ModuleAnnotations,
  { cluster, signal }: { readonly cluster: ModuleCluster; readonly signal: AbortSignal },
): Promise<void> {
  const { uid } = annotations.module.metadata
  for (const reference of sleepersOf(annotations.module.metadata.annotations).map(referenceTo)) {
    const live = await cluster.get(reference, { signal })
    const stillSleeps = live && sleepNote(live) !== undefined && live.metadata.labels?.[moduleLabel] === uid
    if (stillSleeps) await cluster.scaleUp(reference, { signal })
  }
}

/** Deletes the record of the workloads of a Module that is awake. */
export async function forgetSleepers(annotations: ModuleAnnotations): Promise<void> {
  if (annotations.get(sleepersAnnotation) !== undefined) await annotations.set(sleepersAnnotation, null)
}

/** The workloads of a Module that should sleep and do not, as a sentence; undefined without one. */
export async function awakeSleepers(
  names: readonly WorkloadName[],
  {
    cluster,
    signal,
    isOwn,
  }: {
    readonly cluster: ModuleCluster
    readonly signal: AbortSignal
    readonly isOwn: (live: KubeObject) => boolean
  },
): Promise<string | undefined> {
  const awake: string[] = []
  for (const name of names) {
    const live = await cluster.get(referenceTo(name), { signal })
    const why = live && isOwn(live) ? whyAwake(kindOf(name), live) : undefined
    if (why) awake.push(`${name.kind} ${live?.metadata.namespace}/${name.name} ${why}`)
  }
  return awake.length > 0 ? listAwake(awake) : undefined
}

/** The maximum number of workloads that a message names. */
const maxNamed = 3

const listAwake = (awake: readonly string[]) =>
  [...awake.slice(0, maxNamed), ...(awake.length > maxNamed ? [`${awake.length - maxNamed} more`] : [])].join(
    ', ',
  )

const referenceTo = ({ apiVersion, kind, namespace, name }: WorkloadName): ModuleObjectReference => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace !== undefined && { namespace }) },
})

const kindOf = ({ apiVersion, kind }: WorkloadName) => ({
  group: groupOfApiVersion(apiVersion),
  kind,
})
