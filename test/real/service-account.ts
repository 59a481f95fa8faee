import type { RoleObject } from '../../cli/roles/role-objects.js'
import type { Client } from '../../sdk/engine/client/client.js'
import { namespaces, serviceAccounts } from '../../sdk/engine/kube/builtin.js'
import { ApiError } from '../../sdk/engine/kube/error.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'

/** A kind of rbac.authorization.k8s.io/v1. */
export const rbacKind = (kind: string): Resource => ({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: !kind.startsWith('Cluster'),
})

/** A ServiceAccount, by which a program of a test authenticates. */
export interface Account {
  namespace: string
  name: string
}

/** Creates a ServiceAccount with its namespace, and gives it these roles. */
export async function createAccount(
  admin: Client,
  { namespace, name }: Account,
  roles: readonly RoleObject[],
): Promise<void> {
  await admin.create(namespaces, { metadata: { name: namespace } })
  await admin.create(serviceAccounts, { metadata: { namespace, name } })
  const subjects = [{ kind: 'ServiceAccount', name, namespace }]
  for (const role of roles) {
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: role.kind, name: role.metadata.name }
    await admin.create(rbacKind(role.kind), role)
    await admin.create(rbacKind(`${role.kind}Binding`), {
      metadata: role.metadata,
      roleRef,
      subjects,
    } as KubeObject)
  }
}

/** A token of the ServiceAccount. */
export async function accountToken({ namespace, name }: Account, transport: Transport): Promise<string> {
  const { status, body } = await transport.request({
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }),
  })
  const answer = JSON.parse(Buffer.from(body).toString())
  if (status >= 300) throw new ApiError(answer)
  return answer.status.token
}

/** The administrator's kubeconfig with a token of the ServiceAccount. */
export async function accountKubeconfig(
  account: Account,
  { transport, kubeconfig }: { transport: Transport; kubeconfig: string },
): Promise<string> {
  const token = await accountToken(account, transport)
  return JSON.stringify({ ...JSON.parse(kubeconfig), users: [{ name: 'test', user: { token } }] })
}
