import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '../../client/client.js'
import { isAlreadyExists, PluginError } from '../../kube/error.js'
import { formatKey, type Key, keyOf } from '../../kube/key.js'
import type { KubeObject } from '../../kube/object.js'
import { apiVersionOf, type Resource } from '../../kube/resource.js'
import type { Transport } from '../../transport/transport.js'
import { servedKinds } from './served-kinds.js'

/** An object that was applied to the virtual cluster for the plugin to work on. */
export interface Sample {
  resource: Resource
  key: Key
}

const file = 'samples.yaml'

const configMap = (
  namespace: string,
  name: string,
  data: Record<string, string>,
): KubeObject & { data: object } => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace, name, labels: { app: 'sample' } },
  data,
})

const builtInSamples: readonly KubeObject[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
  configMap('default', 'greeting', { text: 'hello' }),
  configMap('default', 'settings', { 'settings.ini': 'colour = blue\n' }),
  configMap('shop', 'prices', { apple: '3', pear: '4' }),
]

/**
 * Reads the objects of `samples.yaml` in the plugin's folder, or answers a few ConfigMaps where there is none.
 * Throws a `PluginError` `BAD_SAMPLES`.
 */
export async function readSamples(folder: string): Promise<readonly KubeObject[]> {
  const path = join(folder, file)
  const text = await readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? builtInSamples : parseSamples(text, path)
}

async function parseSamples(text: string, path: string): Promise<KubeObject[]> {
  const { parseAllDocuments } = await import('yaml')
  const documents = [...parseAllDocuments(text)]
  const error = documents.flatMap(({ errors }) => errors)[0]
  if (error) throw badSamples(path, error.message.split('\n')[0] ?? 'it is no YAML')
  return documents
    .map((document) => document.toJS())
    .filter((object) => object !== null)
    .map((object) => checked(object, path))
}

function checked(object: unknown, path: string): KubeObject {
  const { apiVersion, kind, metadata } = Object(object)
  if (apiVersion && kind && metadata?.name) return object as KubeObject
  throw badSamples(path, 'each of its objects needs apiVersion, kind and metadata.name')
}

/**
 * Creates the samples in the virtual cluster, or makes them as they are here where they exist. Answers those
 * that a plugin may mirror: all but what only makes room for others.
 */
export async function applySamples(
  objects: readonly KubeObject[],
  { client, transport }: { client: Client; transport: Transport },
): Promise<Sample[]> {
  const samples: Sample[] = []
  for (const object of objects) {
    const resource = await kindOf(object, transport)
    const { namespace } = object.metadata
    const placed = resource.namespaced && !namespace ? inDefault(object) : object
    await apply(client, resource, placed)
    if (!makesRoom.includes(resource.kind)) samples.push({ resource, key: keyOf(placed) })
  }
  return samples
}

const makesRoom = ['Namespace', 'CustomResourceDefinition']

const inDefault = (object: KubeObject) => ({
  ...object,
  metadata: { ...object.metadata, namespace: 'default' },
})

/** Asks anew for each object: the one before may have been the definition of its kind. */
async function kindOf({ apiVersion, kind, metadata }: KubeObject, transport: Transport): Promise<Resource> {
  const kinds = await servedKinds(transport)
  const resource = kinds.find((known) => known.kind === kind && apiVersionOf(known) === apiVersion)
  if (resource) return resource
  throw badSamples(file, `the virtual cluster serves no ${kind} of ${apiVersion}, which ${metadata.name} is`)
}

async function apply(client: Client, resource: Resource, object: KubeObject): Promise<void> {
  try {
    await client.create(resource, object)
  } catch (error) {
    if (isAlreadyExists(error)) await client.patch(resource, keyOf(object), { type: 'merge', body: object })
    else throw badSamples(file, `${resource.kind} ${formatKey(keyOf(object))}: ${String(error)}`)
  }
}

const badSamples = (path: string, problem: string) =>
  new PluginError('BAD_SAMPLES', `${path} cannot be applied: ${problem}`)
