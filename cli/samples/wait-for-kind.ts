import { parseApiVersion } from '../../sdk/engine/kube/api-version.js'
import { nearestName } from '../../sdk/engine/kube/nearest-name.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { apiVersionOf, type Resource } from '../../sdk/engine/kube/resource.js'
import { type Clock, sleep, systemClock } from '../../sdk/engine/time/clock.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import { servedVersions } from '../clusters/served-kinds.js'
import { badSamplesError } from './bad-samples-error.js'

/** Time limit for a kind to be served, in milliseconds. The program that installs it may still be starting. */
const kindLimitMs = 10_000
const askAgainMs = 250
/** The largest number of letters in which a misspelt kind differs from the one that is suggested. */
const maxDistance = 3

/** The cluster that should serve a kind. */
interface WaitForKindOptions {
  /** The name of the cluster, for messages. */
  readonly name: string
  /** The file of samples, for messages. */
  readonly file: string
  readonly transport: Transport
  readonly clock?: Clock
}

/**
 * Returns the kind of an object, as soon as the cluster serves it. Rejects after 10 s, and for a group of Kubernetes
 * itself at once, with a `PluginError` `INVALID_MANIFEST` that suggests other versions of the kind, or a kind with a
 * similar name. The kinds are read for each object, because the object before it may be the definition of its kind.
 */
export async function waitForKind(
  object: KubeObject,
  { name, file, transport, clock = systemClock }: WaitForKindOptions,
): Promise<Resource> {
  const { apiVersion = '', kind, metadata } = object
  let served: Resource[] = []
  for (let waitedMs = 0; waitedMs <= kindLimitMs; waitedMs += askAgainMs) {
    served = await servedVersions(transport)
    const resource = served.find(
      (candidate) => candidate.kind === kind && apiVersionOf(candidate) === apiVersion,
    )
    if (resource) return resource
    if (isBuiltIn(apiVersion, served)) break
    await sleep(clock, askAgainMs)
  }
  throw badSamplesError(
    file,
    `the ${name} cluster does not serve ${apiVersion} ${kind}, the kind of ${metadata.name}${suggestion(served, object)}`,
  )
}

/** Whether a group belongs to Kubernetes itself: no program installs a kind of it later. */
function isBuiltIn(apiVersion: string, served: readonly Resource[]): boolean {
  const group = parseApiVersion(apiVersion)?.group
  return !group?.includes('.') && served.some((candidate) => candidate.group === group)
}

/** The end of a message: the versions of the kind, its other groups, or the kind of the group whose name is nearest. */
function suggestion(served: readonly Resource[], { apiVersion = '', kind = '' }: KubeObject): string {
  const group = parseApiVersion(apiVersion)?.group
  const ofGroup = served.filter((candidate) => candidate.group === group)
  const ofKind = served.filter((candidate) => candidate.kind === kind)
  const versions = ofKind.filter((candidate) => candidate.group === group).map(({ version }) => version)
  if (versions.length > 0) return `; it serves ${versions.join(', ')}`
  if (ofKind.length > 0) return `; it serves ${kind} in ${ofKind.map(apiVersionOf).join(', ')}`
  const kinds = ofGroup.map((candidate) => candidate.kind)
  const nearest = nearestName(kind, kinds)
  return nearest && nearest.distance <= maxDistance ? `. Did you mean ${nearest.name}?` : ''
}
