// The kinds whose objects are looked at when a Module was uninstalled: those that its manager has written without an
// owner, or that the permissions of its program name. Other kinds cannot have objects of the Module, so the operator
// needs no permission to list all kinds.

import type { Cluster } from '../../../engine/cluster/cluster.js'
import { groupOfApiVersion } from '../../../engine/kube/api-version.js'
import {
  configMaps,
  deployments,
  persistentVolumeClaims,
  pods,
  secrets,
  services,
} from '../../../engine/kube/builtin.js'
import { cronJobs, jobs, statefulSets } from '../../../engine/kube/builtin-workloads.js'
import { formatResource, type Resource } from '../../../engine/kube/resource.js'
import type { PolicyRule } from '../../manager/policy-rule.js'
import type { ModuleOfRun } from './target-cluster.js'
import { kindText, maxKinds } from './written-kinds.js'

type ServedKinds = Pick<Cluster, 'served' | 'apiVersions'>

/** The kinds searched when a Module is abandoned, because its manager may have written more than the status records. */
export const usualKinds: readonly Resource[] = [
  ...[deployments, statefulSets, jobs, cronJobs, pods],
  ...[services, configMaps, secrets, persistentVolumeClaims],
] as never

/**
 * The kinds of the objects without an owner that the manager of a Module has written, or may write by its permissions,
 * as a cluster serves them.
 */
export async function kindsToList(
  cluster: ServedKinds,
  { ctx, module }: Pick<ModuleOfRun, 'ctx' | 'module'>,
  permissions: readonly PolicyRule[] | undefined = module.status?.program?.permissions,
): Promise<Resource[]> {
  const written = (ctx.status.kinds ?? []).slice(0, maxKinds)
  const permitted = (permissions ?? []).filter(mayWrite).slice(0, maxKinds)
  const foundKinds = [
    ...(await Promise.all(written.map((text) => findWritten(cluster, text)))),
    ...(permitted.length > 0 ? await findPermitted(cluster, permitted) : []),
  ].filter((kind) => kind !== undefined)
  return [...new Map(foundKinds.map((kind) => [formatResource(kind), kind])).values()]
}

/** The kinds that the manager of a Module has written. */
export const writtenKinds = (
  cluster: ServedKinds,
  run: Pick<ModuleOfRun, 'ctx' | 'module'>,
): Promise<Resource[]> => kindsToList(cluster, run, [])

const mayWrite = ({ verbs }: PolicyRule) => verbs.some((verb) => ['*', 'create', 'patch'].includes(verb))

async function findWritten(cluster: ServedKinds, text: string): Promise<Resource | undefined> {
  const [apiVersion = ''] = text.split(' ')
  return (await cluster.served(apiVersion)).find((kind) => kindText(kind) === text)
}

/** Rules with `*` in place of a group or a resource name no kind. */
async function findPermitted(cluster: ServedKinds, rules: readonly PolicyRule[]): Promise<Resource[]> {
  const groups = new Set(rules.map(({ group }) => group))
  const apiVersions = (await cluster.apiVersions()).filter((one) => groups.has(groupOfApiVersion(one)))
  const served = (await Promise.all(apiVersions.map((one) => cluster.served(one)))).flat()
  return served.filter((kind) =>
    rules.some((rule) => rule.group === kind.group && rule.resource === kind.plural),
  )
}
