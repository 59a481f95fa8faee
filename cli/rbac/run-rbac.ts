/**
 * `vcluster-plugin rbac`: prints the minimal permissions of a plugin or an operator, from what its program registers,
 * or checks credentials.
 *
 * It uses the same function as `manifest`.
 */

import { PluginError } from '../../sdk/engine/kube/error.js'
import { silentLogger } from '../../sdk/engine/observe/logger.js'
import { noMetrics } from '../../sdk/engine/observe/metrics.js'
import { systemClock } from '../../sdk/engine/time/clock.js'
import type { OperatorDescription } from '../../sdk/operator/describe/operator-description.js'
import type { Side } from '../../sdk/vcluster/context/register-context.js'
import type { Mode } from '../../sdk/vcluster/plugin/mode.js'
import { openTransport } from '../../sdk/vcluster/plugin/open-transport.js'
import { type NeededPermission, permissionsOf } from '../../sdk/vcluster/plugin/permissions.js'
import { explainCall } from '../clusters/explain-call.js'
import { loadUserKubeconfig } from '../clusters/user-kubeconfig.js'
import { describeAnyProgram } from '../program/describe-program.js'
import { type FoundPlugin, findPlugin } from '../program/find-plugin.js'
import type { OperatorPermission } from '../roles/operator-permissions.js'
import { type OperatorRbac, operatorRbac } from '../roles/operator-rbac.js'
import { namespaceOf, roleObjects } from '../roles/role-objects.js'
import { type OutputFormat, print } from '../terminal/output.js'
import { UsageError } from '../terminal/usage-error.js'
import { type AccessReport, checkAccess, type MissingAccess } from './check-access.js'
import { undeclaredPermissions } from './recorded-permissions.js'

/** Options of `vcluster-plugin rbac`. */
export interface RbacOptions {
  /** The plugin's folder. */
  folder: string
  mode: Mode
  side: Side
  /** The cluster of an operator; default its first. */
  cluster: string | undefined
  /** The target namespace; default none, or with `check` the context's. */
  namespace: string | undefined
  /** Includes optional permissions. */
  optional: boolean
  output: OutputFormat
  /** Checks credentials instead of printing roles. */
  check: boolean
  /** Kubeconfig with the credentials; default kubectl's. */
  kubeconfig: string | undefined
  context: string | undefined
  /** Runs an operator with its samples and adds the permissions of its requests. */
  record: boolean
}

/** Prints roles, or checks credentials. Throws `PluginError` `MISSING_PERMISSIONS` if they are not sufficient. */
export async function runRbac(options: RbacOptions): Promise<void> {
  const plugin = await findPlugin(options.folder)
  const description = await describeAnyProgram(plugin, options)
  if (description.kind === 'CnpgPluginDescription')
    throw new PluginError(
      'NO_DESCRIPTION',
      `${options.folder} is a plugin for CloudNativePG; vcluster-plugin manifest ${options.folder} prints its roles`,
    )
  if (description.kind === 'OperatorDescription') return runOperatorRbac(plugin, description, options)
  if (options.record)
    throw new UsageError(
      `--record is for operators; ${options.folder} is a plugin, whose permissions are all declared`,
    )
  const { mode, side } = options
  const permissions = permissionsOf(description, { mode }).filter((permission) => permission.side === side)
  if (options.check) return check(permissions, options)
  const granted = options.optional ? permissions : permissions.filter((permission) => !permission.optional)
  const roles = roleObjects(granted, { ...options, name: description.name })
  await print({ data: roles, table: tableOf(granted) }, options.output)
}

/**
 * RBAC lets users grant only permissions that they have:
 * https://kubernetes.io/docs/reference/access-authn-authz/rbac/#privilege-escalation-prevention-and-bootstrapping
 */
const grantNote =
  'The user who applies these roles needs the same permissions, or the verb escalate on roles and clusterroles.\n'

const recordNote =
  'Some permissions are of recorded requests. Other objects may need more: declare them in permissions of the controller.\n'

async function runOperatorRbac(
  plugin: FoundPlugin,
  description: OperatorDescription,
  options: RbacOptions,
): Promise<void> {
  const declared = operatorRbac(description, options)
  const recorded = options.record
    ? await recordedPermissions(plugin, description, { ...options, ...declared })
    : []
  const { permissions, roles } = operatorRbac(description, { ...options, recorded })
  if (options.check) return check(permissions, { ...options, namespace: description.ownNamespace })
  await print({ data: roles, table: tableOf(permissions) }, options.output)
  process.stderr.write(recorded.length > 0 ? recordNote + grantNote : grantNote)
}

async function recordedPermissions(
  plugin: FoundPlugin,
  description: OperatorDescription,
  { cluster = description.clusters[0] ?? '', permissions }: Pick<RbacOptions, 'cluster'> & OperatorRbac,
): Promise<OperatorPermission[]> {
  const { recordRequests } = await import('./record-requests.js')
  const { requests, samples } = await recordRequests(plugin, description, cluster)
  return undeclaredPermissions(requests, permissions, samples)
}

function tableOf(permissions: readonly ShownPermission[]): string[][] {
  const rows = permissions.map((permission) => [
    namespaceOf(permission) === '' ? '(all)' : (permission.namespace ?? '(target)'),
    resourceOf(permission) + (permission.names ? ` ${permission.names.join(' ')}` : ''),
    permission.verbs.join(','),
    permission.neededBy.join(', ') + (permission.optional ? ' (optional)' : ''),
  ])
  return [['NAMESPACE', 'RESOURCE', 'VERBS', 'NEEDED BY'], ...rows]
}

type ShownPermission = NeededPermission & Partial<Pick<OperatorPermission, 'names'>>

const resourceOf = ({ group, resource }: { group: string; resource: string }) =>
  group === '' ? resource : `${resource}.${group}`

async function check(permissions: readonly ShownPermission[], options: RbacOptions): Promise<void> {
  const kubeconfig = await loadUserKubeconfig(options)
  const namespace = options.namespace ?? kubeconfig.namespace ?? 'default'
  const observed = { logger: silentLogger, metrics: noMetrics, clock: systemClock }
  const transport = openTransport(options.side, kubeconfig, {
    ...observed,
    pluginName: 'vcluster-plugin-rbac',
  })
  try {
    const report = await explainCall(kubeconfig, () => checkAccess({ transport, permissions, namespace }))
    await print({ data: report, table: reportTable(report) }, options.output)
    failWithout(report, kubeconfig.source, namespace)
  } finally {
    await transport.close()
  }
}

function reportTable({ missing, excess, isIncomplete }: AccessReport): string[][] {
  const rows = [
    ...missing.map((permission) => [
      permission.optional ? 'optional' : 'missing',
      `${resourceOf(permission)}${permission.name === undefined ? '' : ` ${permission.name}`}: ${permission.verb}${placeOf(permission)}`,
    ]),
    ...excess.map((line) => ['excess', line]),
    ...(isIncomplete ? [['unknown', 'the API server cannot list all permissions']] : []),
  ]
  return [
    ['STATE', 'PERMISSION'],
    ...(rows.length > 0 ? rows : [['exact', 'exactly what the program needs']]),
  ]
}

function placeOf(access: MissingAccess): string {
  const namespace = namespaceOf(access)
  if (namespace === undefined) return ''
  return namespace === '' ? ' in all namespaces' : ` in ${namespace}`
}

function failWithout({ missing }: AccessReport, source: string, namespace: string): void {
  const needed = missing.filter(({ optional }) => !optional)
  const [first] = needed
  if (!first) return
  const count = needed.length === 1 ? 'a permission' : `${needed.length} permissions`
  const message =
    `${source} lacks ${count} that the program needs, such as ${first.verb} on ${resourceOf(first)}${placeOf({ ...first, namespace: namespaceOf(first) ?? namespace })}; ` +
    'apply the roles that vcluster-plugin rbac prints, and bind them'
  throw new PluginError('MISSING_PERMISSIONS', message)
}
