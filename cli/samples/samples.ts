import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '../../sdk/engine/client/client.js'
import { ApiError, isAlreadyExists } from '../../sdk/engine/kube/error.js'
import { formatKey, type Key, keyOf } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { readTextFile, UnfitFileError } from '../../sdk/engine/kube/read-text-file.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { yamlProblem } from '../../sdk/engine/kube/yaml-problem.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import type { Side } from '../../sdk/vcluster/context/register-context.js'
import { badSamplesError } from './bad-samples-error.js'
import { refusalText } from './refusal-text.js'
import { waitForKind } from './wait-for-kind.js'

/** An object that was applied to a cluster, for the plugin to copy. */
export interface Sample {
  side: Side
  resource: Resource
  key: Key
}

/** A sample with the applied object. */
export interface AppliedSample extends Sample {
  object: KubeObject
}

/** Size limit of a file with samples. */
const maxBytes = 64 * 2 ** 20

const files = { virtual: 'samples.yaml', host: 'host-samples.yaml' }

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
 * Reads the objects of `samples.yaml` in the plugin's folder, or of `file`. Returns `fallback` if the folder
 * has no such file, by default a few ConfigMaps. Throws a `PluginError` `INVALID_MANIFEST`.
 */
export async function readSamples(
  folder: string,
  file?: string,
  fallback: readonly KubeObject[] = builtInSamples,
): Promise<readonly KubeObject[]> {
  if (file === undefined) return (await readObjects(join(folder, files.virtual))) ?? fallback
  const objects = await readObjects(file)
  if (objects) return objects
  throw missingSamplesError(file)
}

/** Checks that the file or folder of the flag `--samples` exists. Throws a `PluginError` `INVALID_MANIFEST`. */
export function checkSamplesExist(path: string): void {
  if (!existsSync(path)) throw missingSamplesError(path)
}

const missingSamplesError = (path: string) =>
  badSamplesError(path, 'it does not exist; correct the path of --samples')

/** Reads the objects of `host-samples.yaml`, which are for the host cluster; none if the file does not exist. */
export async function readHostSamples(folder: string): Promise<readonly KubeObject[]> {
  return (await readObjects(join(folder, files.host))) ?? []
}

/**
 * Reads the objects of `<cluster>-samples.yaml`, which are for another cluster of an operator; none if the file does
 * not exist.
 */
export async function readClusterSamples(folder: string, cluster: string): Promise<readonly KubeObject[]> {
  return (await readObjects(join(folder, `${cluster}-samples.yaml`))) ?? []
}

async function readObjects(path: string): Promise<KubeObject[] | undefined> {
  const text = await readTextFile(path, { maxBytes }).catch((error) => {
    if (error.code === 'ENOENT') return undefined
    if (error instanceof UnfitFileError) throw badSamplesError(path, error.message)
    throw badSamplesError(path, `cannot read the file (${error.code ?? error.message})`)
  })
  return text === undefined ? undefined : parseSamples(text, path)
}

async function parseSamples(text: string, path: string): Promise<KubeObject[]> {
  const { parseAllDocuments } = await import('yaml')
  const documents = [...parseAllDocuments(text)]
  const error = documents.flatMap(({ errors }) => errors)[0]
  if (error) throw badSamplesError(path, yamlProblem(error))
  return documents
    .map((document) => document.toJS())
    .filter((object) => object !== null)
    .map((object, index) => checkObject(object, path, index + 1))
}

function checkObject(object: unknown, path: string, number: number): KubeObject {
  const { apiVersion, kind, metadata } = Object(object)
  const needed = { apiVersion, kind, 'metadata.name': metadata?.name }
  const missing = Object.entries(needed).flatMap(([field, value]) => (value ? [] : [`no ${field}`]))
  if (missing.length === 0) return object as KubeObject
  const named = kind ? `${kind}, object ${number} of the file,` : `object ${number} of the file`
  throw badSamplesError(
    path,
    `${named} has ${missing.join(' and ')}; write ${missing.length > 1 ? 'them' : 'it'}`,
  )
}

/** The cluster and namespace for samples. */
export interface ApplySamplesOptions {
  /** The source file, for messages; default the cluster's file of samples. */
  file?: string | undefined
  side: Side
  /** The name of the cluster, for messages; default that of the side. */
  name?: string
  client: Client
  transport: Transport
  /** The namespace of samples without one; default `default`. */
  namespace?: string
}

type AppliedTo = ApplySamplesOptions & { file: string; name: string }

/**
 * Creates the samples in a cluster, or patches existing objects. Returns the samples that a plugin may copy: all except
 * Namespaces and definitions.
 */
export async function applySamples(
  objects: readonly KubeObject[],
  { side, file = files[side], name = side, namespace: fallback = 'default', ...cluster }: ApplySamplesOptions,
): Promise<AppliedSample[]> {
  const samples: AppliedSample[] = []
  for (const object of objects) {
    const resource = await waitForKind(object, { name, file, transport: cluster.transport })
    const { namespace } = object.metadata
    const placed = resource.namespaced && !namespace ? placedIn(fallback, object) : object
    await apply(resource, placed, { file, ...cluster })
    if (!prerequisites.includes(resource.kind))
      samples.push({ side, resource, key: keyOf(placed), object: placed })
  }
  return samples
}

const prerequisites = ['Namespace', 'CustomResourceDefinition']

const placedIn = (namespace: string, object: KubeObject) => ({
  ...object,
  metadata: { ...object.metadata, namespace },
})

/** The status codes that answer a wrong sample. */
const refusals: ReadonlySet<number> = new Set([400, 404, 422])

async function apply(
  resource: Resource,
  object: KubeObject,
  { client, file }: Pick<AppliedTo, 'client' | 'file'>,
): Promise<void> {
  await createOrPatch(client, resource, object).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error)
    // Other errors, such as of the network or a missing permission, are not about the content of the sample.
    const isRefusal = error instanceof ApiError && refusals.has(error.code)
    const reason = isRefusal ? refusalText(message) : message
    throw badSamplesError(file, `${resource.kind} ${formatKey(keyOf(object))}: ${reason}`)
  })
}

/** Writes a sample as `kubectl apply` does: a field that the kind does not have, such as a typing error, is refused. */
async function createOrPatch(client: Client, resource: Resource, object: KubeObject): Promise<void> {
  const fieldValidation = 'Strict'
  try {
    await client.create(resource, object, { fieldValidation })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
    await client.patch(resource, keyOf(object), { type: 'merge', body: object, fieldValidation })
  }
}
