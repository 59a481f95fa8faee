import { operatorRbac } from '../../cli/roles/operator-rbac.js'
import type { RoleObject } from '../../cli/roles/role-objects.js'
import type { Client } from '../../sdk/engine/client/client.js'
import { silentLogger } from '../../sdk/engine/observe/logger.js'
import { createTransport } from '../../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../../sdk/engine/transport/load-kubeconfig.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import type { OperatorDescription } from '../../sdk/operator/describe/operator-description.js'
import type { Operator } from '../../sdk/operator/operator.js'
import { createInternalOperator } from '../../sdk/operator/operator-runtime.js'
import { recordCalls } from './record-calls.js'
import { type Account, accountKubeconfig, createAccount } from './service-account.js'

type Kubeconfig = Awaited<ReturnType<typeof loadKubeconfig>>

/** An operator, and what happens while it runs. */
export interface RunWithRolesOptions {
  /** The cluster, for its administrator. */
  admin: Client
  transport: Transport
  kubeconfig: string
  /** The name of the operator, and of its namespace with `-system` after it. */
  name: string
  register(operator: Operator): void
  /** Creates, changes and deletes objects until each verb that can be seen was used. */
  walk(admin: Client): Promise<void>
}

/** The permissions of an operator, and which of them a run used. */
export interface RunWithRoles {
  readonly description: OperatorDescription
  readonly account: Account
  /** Its own roles, without those for users of its kinds. */
  readonly roles: readonly RoleObject[]
  /** A kubeconfig of its ServiceAccount. */
  readonly kubeconfig: Kubeconfig
  /** What `vcluster-plugin rbac` prints, as `verb plural.group`, sorted. */
  readonly printed: readonly string[]
  /** The calls that were made, likewise. */
  readonly used: ReadonlySet<string>
  /** The calls that the API server refused. */
  readonly forbidden: readonly string[]
}

/**
 * Runs an operator with a ServiceAccount that has the roles which `vcluster-plugin rbac` prints, and no other rights.
 */
export async function runWithRoles(options: RunWithRolesOptions): Promise<RunWithRoles> {
  const { admin, transport, name, register, walk } = options
  const account = { namespace: `${name}-system`, name }
  const { used, forbidden, recording } = recordCalls()
  let kubeconfig: Kubeconfig | undefined
  const operator = createInternalOperator({
    name,
    env: {},
    logger: silentLogger,
    leaseNamespace: account.namespace,
    openClusters: async () => {
      if (!kubeconfig) throw new Error('the account does not exist yet')
      return { transports: new Map([['main', recording(createTransport({ kubeconfig }))]]) }
    },
  })
  register(operator)
  const description = await operator.describe()
  const { permissions, roles: all } = operatorRbac(description)
  const roles = all.filter(({ metadata }) => metadata.name === name)
  await createAccount(admin, account, roles)
  const text = await accountKubeconfig(account, { transport, kubeconfig: options.kubeconfig })
  kubeconfig = await loadKubeconfig({ text })
  const ended = operator.start()
  await operator.whenRunning()
  try {
    await Promise.race([walk(admin), ended])
  } finally {
    await operator.stop()
  }
  const printed = permissions.flatMap(({ verbs, group, resource }) =>
    verbs.map((verb) => `${verb} ${group === '' ? resource : `${resource}.${group}`}`),
  )
  return { description, account, roles, kubeconfig, printed: [...new Set(printed)].sort(), used, forbidden }
}
