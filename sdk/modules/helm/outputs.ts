// The outputs of a release. Outputs from Secrets, and the values of an adopted release, are written to a Secret in the
// namespace of the Module.
import type { Client } from '../../engine/client/client.js'
import { type Secret, secrets } from '../../engine/kube/builtin.js'
import { isAlreadyExists, isNotFound } from '../../engine/kube/error.js'
import { fewNames } from '../../engine/kube/few-names.js'
import type { Key } from '../../engine/kube/key.js'
import { belongsTo } from '../../helm/reconciler/objects/release-object.js'
import { type Owner, ownerReference } from '../../operator/owner/owner.js'
import type { Output } from './helm-spec.js'
import type { HomeClient } from './module-charts.js'
import type { ReleaseKey } from './render-helm-spec.js'

/** The name of the Secret with the outputs of a Module. */
const outputsName = (module: string): string => `${module}-outputs`

/** The outputs with a value of their own, by their names. */
export function plainOutputs(outputs: readonly Output[]): Record<string, unknown> {
  return Object.fromEntries(
    outputs.filter(({ value }) => value !== undefined).map(({ name, value }) => [name, value]),
  )
}

/**
 * The outputs that are in Secrets, as base64 by their names. The Secrets must belong to the release: users who may
 * create Modules need not be allowed to read other Secrets.
 */
export async function secretOutputs(
  outputs: readonly Output[],
  { client, signal, release }: { client: Client; signal: AbortSignal; release: ReleaseKey },
): Promise<Record<string, string>> {
  const values: Record<string, string> = {}
  for (const { name, valueFrom } of outputs) {
    const { secret } = valueFrom ?? {}
    if (!secret) continue
    const key = { namespace: secret.namespace ?? release.namespace, name: secret.name }
    const live = await read(client, key, signal)
    const from = `the output ${name}: Secret ${key.namespace}/${key.name}`
    if (!live) throw new Error(`${from} does not exist; name a Secret of the release`)
    if (!belongsTo(live, release))
      throw new Error(`${from} does not belong to the release ${release.name}; name a Secret of the release`)
    const data = live.data ?? {}
    if (!Object.hasOwn(data, secret.key))
      throw new Error(`${from} has no key ${secret.key}; its keys are ${fewNames(Object.keys(data).sort())}`)
    values[keyOfOutput(name)] = data[secret.key] ?? ''
  }
  return values
}

/** The key of an output in the Secret, without characters that keys must not have. */
const keyOfOutput = (name: string) => name.replaceAll(/[^-._a-zA-Z0-9]+/g, '-').slice(0, 253)

/** Writes the Secret with the outputs of a Module. A Secret of another owner is left alone, and is an error. */
export async function writeOutputs(
  data: Readonly<Record<string, string>>,
  { client, signal, owner }: HomeClient & { readonly owner: Owner },
): Promise<void> {
  if (Object.keys(data).length === 0) return
  const key = { namespace: owner.key.namespace, name: outputsName(owner.key.name) }
  const ownerReferences = [{ ...ownerReference(owner), blockOwnerDeletion: false }]
  const body: Secret = { metadata: { ...key, ownerReferences }, data: { ...data } }
  try {
    await client.create(secrets, body, { signal })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
    const live = await client.get(secrets, key, { signal })
    if (!live.metadata.ownerReferences?.some(({ uid }) => uid === owner.uid))
      throw new Error(
        `Secret ${key.namespace}/${key.name} exists and does not belong to Module ${owner.key.name}; delete it`,
      )
    await client.update(secrets, { ...live, data: { ...data } }, { signal })
  }
}

async function read(client: Client, key: Key, signal: AbortSignal): Promise<Secret | undefined> {
  return client.get(secrets, key, { signal }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
    return undefined
  })
}
