// One copy of a program: its name, and the ConfigMaps that are its parts.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Client } from '../../../engine/client/client.js'
import { type ConfigMap, configMaps } from '../../../engine/kube/builtin.js'
import { isConflict, isNotFound } from '../../../engine/kube/error.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { OwnNamespace } from '../../../engine/manager/unit-source.js'
import { checkDigest, parseDigest } from '../../program/digest.js'
import type { LoadedProgram } from '../../program/load-program.js'
import { ProgramError } from '../../program/program-error.js'
import { programLimitBytes, unpackProgram } from '../../program/unpack-program.js'

const gzipAsync = promisify(gzip)

/** The default size of a part, below the limit of 1 MiB for a ConfigMap. */
const defaultPartBytes = 700 * 1024
/** The maximum number of parts of a copy: more than a program of 8 MiB needs if gzip cannot shrink it. */
const maxParts = 16
const partsAnnotation = 'forkspacer.com/parts'
/** `true` on a part that a process is about to delete, because it knows no Module that uses the program. */
const unusedAnnotation = 'forkspacer.com/unused'
/** The label of all parts of copies. */
export const copyLabel = 'forkspacer.com/program-copy'
/** The label of a copy with the name of its operator. */
export const operatorLabel = 'forkspacer.com/program-copies-of'
/** The key of the content in a ConfigMap. */
const contentKey = 'program'

/** The calls of one run in the cluster of the operator. */
export interface CopyCalls {
  readonly client: Client
  readonly signal: AbortSignal
}

/** The namespace of the copies of one operator; `name` distinguishes operators in the same namespace. */
export interface CopiesNamespace extends Pick<OwnNamespace, 'namespace' | 'name'> {
  /** The maximum size of a part in one ConfigMap, in bytes. Default: 700 KiB. */
  readonly partBytes?: number
}

/** The name of a copy, unique for each operator and digest. No Module can choose it. */
export function copyName(digest: string, { name }: Pick<CopiesNamespace, 'name'>): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([name, digest]))
    .digest('hex')
  return `module-program-${hash.slice(0, 40)}`
}

/**
 * Writes a copy, also over an existing one. A part that another process is about to delete gets a new resourceVersion.
 */
export async function writeCopy(
  { content, digest }: LoadedProgram,
  { namespace, name: operator, partBytes = defaultPartBytes }: CopiesNamespace,
  { client, signal }: CopyCalls,
): Promise<void> {
  const packed = await gzipAsync(content)
  const parts = Math.ceil(packed.length / partBytes)
  const copy = copyName(digest, { name: operator })
  // The first part is the last one that is written: with it the copy is complete.
  for (let part = parts - 1; part >= 0; part--) {
    const bytes = packed.subarray(part * partBytes, (part + 1) * partBytes)
    const name = `${copy}-${part}`
    const metadata = {
      name,
      namespace,
      labels: { [copyLabel]: copy, [operatorLabel]: operator },
      annotations: { [partsAnnotation]: String(parts), [unusedAnnotation]: 'false' },
    }
    const binaryData = { [contentKey]: bytes.toString('base64') }
    const body: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata, binaryData }
    const patch = { type: 'apply', fieldManager: 'modules', force: true, body, signal } as const
    await client.patch(configMaps, { namespace, name }, patch)
  }
}

/** Reads the program from its copy; undefined if there is no copy, or its content has another digest. */
export async function readCopy(
  digest: string,
  copiesNamespace: CopiesNamespace,
  { client, signal }: CopyCalls,
): Promise<LoadedProgram | undefined> {
  const copy = copyName(digest, copiesNamespace)
  const { namespace } = copiesNamespace
  const readPart = (part: number) =>
    client.get(configMaps, { namespace, name: `${copy}-${part}` }, { signal })
  try {
    const first = await readPart(0)
    const parts = Number(first.metadata.annotations?.[partsAnnotation])
    if (!(parts >= 1 && parts <= maxParts)) return undefined
    const partObjects = [first]
    for (let part = 1; part < parts; part++) partObjects.push(await readPart(part))
    const packed = Buffer.concat(
      partObjects.map(({ binaryData }) => Buffer.from(binaryData?.[contentKey] ?? '', 'base64')),
    )
    const content = await unpackProgram(copy, packed, programLimitBytes)
    checkDigest(copy, content, parseDigest(digest))
    return { content, digest }
  } catch (error) {
    if (error instanceof ProgramError || isNotFound(error)) return undefined
    throw error
  }
}

/** Whether a copy exists and no process is about to delete it. */
export async function isCopyKept(
  copy: string,
  { namespace }: CopiesNamespace,
  { client, signal }: CopyCalls,
): Promise<boolean> {
  try {
    const { metadata } = await client.get(configMaps, { namespace, name: `${copy}-0` }, { signal })
    return metadata.annotations?.[unusedAnnotation] !== 'true'
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}

/** The parts of copies that a selector finds, those that make the copy complete first. */
export async function listParts(
  labelSelector: string,
  { namespace }: CopiesNamespace,
  { client, signal }: CopyCalls,
): Promise<readonly ConfigMap[]> {
  const { items } = await client.listAll(configMaps, { namespace, labelSelector, signal })
  return items.filter(isPart).sort(byName)
}

/** The copy that a part belongs to. */
export const copyOf = ({ metadata }: KubeObject): string => metadata.labels?.[copyLabel] ?? ''

/** Marks a part as about to be deleted, or removes that mark. Returns undefined if the part does not exist. */
export async function annotatePart(
  { metadata }: KubeObject,
  { client, signal, isUnused }: CopyCalls & { readonly isUnused: boolean },
): Promise<ConfigMap | undefined> {
  const { namespace = '', name = '' } = metadata
  const body = { metadata: { annotations: { [unusedAnnotation]: String(isUnused) } } }
  try {
    return await client.patch(configMaps, { namespace, name }, { type: 'merge', body, signal })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** Deletes a part unless somebody has written it since. */
export async function deletePart({ metadata }: KubeObject, { client, signal }: CopyCalls): Promise<void> {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata
  try {
    await client.delete(configMaps, { namespace, name }, { uid, resourceVersion, signal })
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error
  }
}

/** Whether a ConfigMap is a part of a copy, by its name. The label is not sufficient, because anybody can set it. */
function isPart(part: ConfigMap): boolean {
  const [copy, name = ''] = [copyOf(part), part.metadata.name]
  const isCopy = /^module-program-[0-9a-f]{40}$/.test(copy)
  return isCopy && name.startsWith(copy) && /^-\d+$/.test(name.slice(copy.length))
}

const byName = ({ metadata: first }: KubeObject, { metadata: second }: KubeObject) =>
  (first.name ?? '').localeCompare(second.name ?? '')
