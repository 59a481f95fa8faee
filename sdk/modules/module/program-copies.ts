/**
 * Copies of loaded programs in ConfigMaps, so that a Module can be uninstalled when the origin of its program is gone and the files of
 * this process are too. There is one copy for each Workspace and digest, in the namespace of the Workspace and owned by it. A copy is
 * never trusted: its content is used only with the digest of the frozen definition.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Client } from '../../client/client.js'
import { type ConfigMap, configMaps } from '../../kube/builtin.js'
import { isNotFound } from '../../kube/error.js'
import type { KubeObject } from '../../kube/object.js'
import { apiVersionOf } from '../../kube/resource.js'
import type { NamedObject } from '../kinds/module.js'
import { workspaces } from '../kinds/workspace-kind.js'
import { checkDigest, parseDigest } from '../program/digest.js'
import type { LoadedProgram } from '../program/load-program.js'
import { ProgramError } from '../program/program-error.js'
import { programLimitBytes, unpackProgram } from '../program/unpack-program.js'

const pack = promisify(gzip)

/** The most bytes in one ConfigMap; it may have 1 MiB. */
const partBytes = 700 * 1024
/** The most parts of a copy: more than a program of 8 MiB that cannot be packed needs. */
const mostParts = 16
const partsAnnotation = 'forkspacer.com/parts'
/** The label of all parts of copies. */
const copyLabel = 'forkspacer.com/program-copy'
const key = 'program'

/** The calls of one run in the cluster that holds the Workspaces. */
export interface CopyCalls {
  readonly client: Client
  readonly signal: AbortSignal
}

/** The Workspace of a copy; without a UID if it does not exist any more. */
export type CopyOwner = NamedObject & { readonly uid?: string | undefined }

/** Writes, reads and deletes copies of programs. */
export class ProgramCopies {
  /** The copies that this process has written or found. */
  readonly #known = new Set<string>()
  /** The last piece of work on each copy: a copy is not deleted while another Module makes sure that it exists. */
  readonly #turns = new Map<string, Promise<unknown>>()

  /** Makes sure that there is a copy. */
  keep(program: LoadedProgram, owner: CopyOwner, calls: CopyCalls): Promise<void> {
    const name = copyName(program.digest, owner)
    return this.#inTurn(name, owner, async () => {
      const known = `${owner.namespace}/${name}`
      if (this.#known.has(known)) return
      if (!(await readCopy(program.digest, owner, calls))) await write(program, owner, calls)
      this.#known.add(known)
    })
  }

  /** The program from its copy; undefined if there is none, or one with other content. */
  read(digest: string, owner: CopyOwner, calls: CopyCalls): Promise<LoadedProgram | undefined> {
    return readCopy(digest, owner, calls)
  }

  /** Deletes a copy unless a Module uses it. */
  release(digest: string, owner: CopyOwner, calls: CopyCalls & { isUsed(): boolean }): Promise<void> {
    const name = copyName(digest, owner)
    return this.#inTurn(name, owner, async () => {
      if (calls.isUsed()) return
      this.#known.delete(`${owner.namespace}/${name}`)
      const { namespace } = owner
      const labelSelector = `${copyLabel}=${name}`
      const { items } = await calls.client.listAll(configMaps, {
        namespace,
        labelSelector,
        signal: calls.signal,
      })
      for (const { metadata } of items) await deletePart(metadata, calls)
    })
  }

  /** Deletes the copies of programs that no Module uses. `found` are ConfigMaps, of which only copies count. */
  async sweep(
    found: readonly KubeObject[],
    { isUsed, ...calls }: CopyCalls & { isUsed(copy: string): boolean },
  ): Promise<void> {
    for (const { metadata } of found) {
      const { namespace = '', name = '', labels } = metadata
      const copy = labels?.[copyLabel] ?? ''
      if (!isPartOf(copy, name)) continue
      await this.#inTurn(copy, { namespace }, async () => {
        if (!isUsed(copy)) await deletePart(metadata, calls)
      })
    }
  }

  async #inTurn(
    name: string,
    { namespace }: Pick<CopyOwner, 'namespace'>,
    work: () => Promise<void>,
  ): Promise<void> {
    const turn = `${namespace}/${name}`
    const before = this.#turns.get(turn) ?? Promise.resolve()
    const mine = before.catch(() => {}).then(work)
    this.#turns.set(turn, mine)
    try {
      await mine
    } finally {
      if (this.#turns.get(turn) === mine) this.#turns.delete(turn)
    }
  }
}

/** One name for each Workspace and digest, which no Module can choose. */
export function copyName(digest: string, { namespace, name }: NamedObject): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([namespace, name, digest]))
    .digest('hex')
  return `module-program-${hash.slice(0, 40)}`
}

async function write(
  { content, digest }: LoadedProgram,
  owner: CopyOwner,
  { client, signal }: CopyCalls,
): Promise<void> {
  const packed = await pack(content)
  const parts = Math.ceil(packed.length / partBytes)
  const copy = copyName(digest, owner)
  // The first part is the last one that is written: with it the copy is complete.
  for (let part = parts - 1; part >= 0; part--) {
    const bytes = packed.subarray(part * partBytes, (part + 1) * partBytes)
    const name = `${copy}-${part}`
    const body: ConfigMap = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        ...{ name, namespace: owner.namespace, labels: { [copyLabel]: copy } },
        annotations: { [partsAnnotation]: String(parts) },
        ...(owner.uid !== undefined && { ownerReferences: [referenceTo(owner.name, owner.uid)] }),
      },
      binaryData: { [key]: bytes.toString('base64') },
    }
    const place = { namespace: owner.namespace, name }
    await client.patch(configMaps, place, {
      type: 'apply',
      fieldManager: 'modules',
      force: true,
      body,
      signal,
    })
  }
}

const referenceTo = (name: string, uid: string) => ({
  ...{ apiVersion: apiVersionOf(workspaces), kind: workspaces.kind, name, uid },
  blockOwnerDeletion: false,
})

async function readCopy(
  digest: string,
  owner: CopyOwner,
  { client, signal }: CopyCalls,
): Promise<LoadedProgram | undefined> {
  const copy = copyName(digest, owner)
  const read = (part: number) =>
    client.get(configMaps, { namespace: owner.namespace, name: `${copy}-${part}` }, { signal })
  try {
    const first = await read(0)
    const parts = Number(first.metadata.annotations?.[partsAnnotation])
    if (!(parts >= 1 && parts <= mostParts)) return undefined
    const all = [first]
    for (let part = 1; part < parts; part++) all.push(await read(part))
    const packed = Buffer.concat(all.map(({ binaryData }) => Buffer.from(binaryData?.[key] ?? '', 'base64')))
    const content = await unpackProgram(copy, packed, programLimitBytes)
    checkDigest(copy, content, parseDigest(digest))
    return { content, digest }
  } catch (error) {
    if (error instanceof ProgramError || isNotFound(error)) return undefined
    throw error
  }
}

/** Users can set labels: only a ConfigMap with the name of a part is one. */
const isPartOf = (copy: string, name: string) =>
  /^module-program-[0-9a-f]{40}$/.test(copy) &&
  /^-\d+$/.test(name.slice(copy.length)) &&
  name.startsWith(copy)

async function deletePart(
  { namespace = '', name = '', uid = '' }: KubeObject['metadata'],
  { client, signal }: CopyCalls,
): Promise<void> {
  await client.delete(configMaps, { namespace, name }, { uid, signal }).catch(unlessGone)
}

function unlessGone(error: unknown): void {
  if (!isNotFound(error)) throw error
}
