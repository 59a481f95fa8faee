import type { Client } from '../sdk/engine/client/client.js'
import { namespaces, services } from '../sdk/engine/kube/builtin.js'
import { checkDnsLabel } from '../sdk/engine/kube/dns-label.js'
import { isAlreadyExists } from '../sdk/engine/kube/error.js'

/** Options of {@link prepareHost}. */
export interface PrepareHostOptions {
  vclusterName: string
  targetNamespace: string
  /** Whether the vcluster has its Service, which owns the copies. */
  hasService: boolean
}

/** Creates the objects in the host cluster that a vcluster's chart creates: the namespace and the Service. */
export async function prepareHost(
  host: Client,
  { vclusterName, targetNamespace, hasService }: PrepareHostOptions,
): Promise<void> {
  checkDnsLabel('vclusterName', vclusterName)
  checkDnsLabel('targetNamespace', targetNamespace)
  await ignoreAlreadyExists(host.create(namespaces, { metadata: { name: targetNamespace } }))
  if (!hasService) return
  const spec = { ports: [{ name: 'https', port: 443, targetPort: 8443 }] }
  await ignoreAlreadyExists(
    host.create(services, { metadata: { name: vclusterName, namespace: targetNamespace }, spec }),
  )
}

async function ignoreAlreadyExists(created: Promise<unknown>): Promise<void> {
  try {
    await created
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}
