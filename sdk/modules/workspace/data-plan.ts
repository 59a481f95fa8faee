// Plans the data that a fork copies: which object of the source becomes which object of the fork.
import { PermanentError } from '../../engine/kube/error.js'
import { formatKey, keyOf } from '../../engine/kube/key.js'
import { checkReleaseNamespace } from '../helm/helm-call.js'
import type { HelmModulesOptions } from '../helm/helm-modules-options.js'
import { migrationOf, type ReleaseMigration } from '../helm/migration.js'
import type { Module } from '../kinds/module.js'
import { modules } from '../kinds/module-kind.js'
import type { ForkedData, ForkedKind, Workspace } from '../kinds/workspace.js'
import { checkWorkspaceAccess } from '../module/connection/connection.js'
import type { NamespaceScope } from '../module/connection/namespace-scope.js'
import { frozenDefinition, helmKind } from '../module/definition/definition.js'

/** The kinds of data, in the order in which they are copied. */
const kinds: readonly ForkedKind[] = ['Secret', 'ConfigMap', 'PersistentVolumeClaim']

/** The clusters of the Modules and of their releases, by names, and which releases are allowed. */
export interface PlanOptions {
  readonly home: string
  /** The cluster of the releases. */
  readonly cluster: string
  readonly helm: HelmModulesOptions | undefined
  readonly workspace: Workspace
  readonly references: NamespaceScope
}

/** The data of a Module by its frozen definition; undefined if it is not installed or has no Helm release. */
export async function dataOf(module: Module, options: PlanOptions): Promise<ReleaseMigration | undefined> {
  const frozen = await frozenDefinition(module.metadata)
  if (frozen?.kind !== helmKind) return undefined
  const key = keyOf(module)
  const { workspace, references, cluster, home } = options
  if (cluster !== home) checkWorkspaceAccess(module, workspace, references)
  const data = migrationOf(frozen.spec, { ...key, values: frozen.values })
  const owner = { cluster: options.home, resource: modules, key, uid: module.metadata.uid ?? '' }
  checkReleaseNamespace(data.release, { owner, cluster: { name: options.cluster } }, options.helm ?? {})
  return data
}

/** The data objects of a source Module. Their targets are known when the copy of the Module is installed. */
export function plannedData(source: Module, data: ReleaseMigration): ForkedData[] {
  const { namespace } = data.release
  const { name = '' } = source.metadata
  return kinds.flatMap((kind) =>
    data[kind].map((object) => ({
      module: name,
      kind,
      from: formatKey({ namespace, name: object }),
      phase: 'waiting' as const,
    })),
  )
}

/** The same objects with their targets in the copy. Throws a `PermanentError` if the copy names other objects. */
export function pairedData(source: Module, data: ReleaseMigration, copy: ReleaseMigration): ForkedData[] {
  const [from, to] = [plannedData(source, data), plannedData(source, copy)]
  const isSame = kinds.every((kind) => data[kind].length === copy[kind].length)
  if (!isSame)
    throw new PermanentError(
      `spec.helm.migration of Module ${source.metadata.name} and of its copy name different data`,
    )
  return from.map((planned, index) => ({ ...planned, to: to[index]?.from }))
}
