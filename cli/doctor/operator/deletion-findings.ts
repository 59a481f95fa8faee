import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import { formatResource } from '../../../sdk/engine/kube/resource.js'
import type { ControllerDescription } from '../../../sdk/operator/describe/operator-description.js'
import { type Finding, finding } from '../finding.js'
import type { OperatorFindingsOptions } from './operator-findings-options.js'
import { readIfExists } from './read-if-exists.js'

const check = 'deletions'
/** After this time a deletion that waits for a finalizer is reported, in milliseconds. */
const patienceMs = 120_000
/** The maximum number of objects that a finding lists. */
const maxListed = 3

/** Finds objects whose deletion has been waiting for a finalizer of the operator. */
export async function deletionFindings(options: OperatorFindingsOptions): Promise<Finding[]> {
  const controllersInCluster = options.description.controllers.filter(
    ({ cluster }) => cluster === options.cluster,
  )
  const all = await Promise.all(controllersInCluster.map((controller) => waitingFor(controller, options)))
  const findings = all.flat()
  return findings.length > 0 || controllersInCluster.length === 0
    ? findings
    : [finding(check, 'ok', 'no object has been waiting for a finalizer of the operator')]
}

async function waitingFor(
  { name, resource, finalizer }: ControllerDescription,
  { client, description: { namespace, name: operator, ownNamespace }, now }: OperatorFindingsOptions,
): Promise<Finding[]> {
  const where = resource.namespaced && namespace !== undefined ? { namespace } : {}
  const list = await readIfExists(client.listAll(resource, where))
  const waiting = (list?.items ?? []).filter((object) => isWaiting(object, finalizer, now))
  if (waiting.length === 0) return []
  const names = waiting
    .slice(0, maxListed)
    .map(({ metadata }) => (metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name))
  const moreText = waiting.length > maxListed ? ` and ${waiting.length - maxListed} more` : ''
  const message =
    `the deletion of ${formatResource(resource)} ${names.join(', ')}${moreText} has been waiting for the finalizer ${finalizer} ` +
    `of controller ${name} for over ${patienceMs / 60_000} minutes; start the operator if it does not run, or read what it logs ` +
    `about them: kubectl logs -n ${ownNamespace} deployment/${operator}. If it will never run again, remove the finalizer ` +
    'with kubectl edit, which skips its cleanup'
  return [finding(check, 'failed', message)]
}

function isWaiting({ metadata }: KubeObject, finalizer: string, now: Date): boolean {
  const { deletionTimestamp, finalizers = [] } = metadata
  if (!deletionTimestamp || !finalizers.includes(finalizer)) return false
  return now.getTime() - new Date(deletionTimestamp).getTime() > patienceMs
}
