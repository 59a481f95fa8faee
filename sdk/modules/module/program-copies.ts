/**
 * Copies of loaded programs in ConfigMaps, so that a Module can be uninstalled when the origin of its program is gone and the files of
 * this process are too. There is one copy for each digest, in the namespace of the operator: users of Modules must not be able to write
 * there, because a copy is executed although its origin may not be allowed any more.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Client } from '../../client/client.js'
import { type ConfigMap, configMaps } from '../../kube/builtin.js'
import { isNotFound } from '../../kube/error.js'
import type { KubeObject } from '../../kube/object.js'
import type { OwnNamespace } from '../../manager/unit-source.js'
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
/** The label with the operator of a copy. */
const operatorLabel = 'forkspacer.com/program-copies-of'
const key = 'program'

/** The calls of one run in the cluster of the operator. */
export interface CopyCalls {
  readonly client: Client
  readonly signal: AbortSignal
}

/** The place of the copies of one operator; `name` tells them from those of others in its namespace. */
export type CopiesNamespace = Pick<OwnNamespace, 'namespace' | 'name'>

/** Writes, reads and deletes copies of programs. */
export class ProgramCopies {
  readonly #place: CopiesNamespace
  /** The copies that this process has written or found. */
  readonly #known = new Set<string>()
  /** The last piece of work on each copy: a copy is not deleted while another Module makes sure that it exists. */
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(place: CopiesNamespace) {
    this.#place = place
  }

  /** Whether this process knows that there is a copy. */
  has(digest: string): boolean {
    return this.#known.has(copyName(digest, this.#place))
  }

  /** Makes sure that there is a copy. */
  keep(program: LoadedProgram, calls: CopyCalls): Promise<void> {
    const name = copyName(program.digest, this.#place)
    return this.#inTurn(name, async () => {
      if (this.#known.has(name)) return
      if (!(await this.read(program.digest, calls))) await write(program, this.#place, calls)
      this.#known.add(name)
    })
  }

  /** The program from its copy; undefined if there is none, or one with other content. */
  read(digest: string, calls: CopyCalls): Promise<LoadedProgram | undefined> {
    return readCopy(digest, this.#place, calls)
  }

  /** Deletes a copy unless a Module uses it. */
  release(digest: string, calls: CopyCalls & { isUsed(): boolean }): Promise<void> {
    const name = copyName(digest, this.#place)
    return this.#inTurn(name, async () => {
      if (calls.isUsed()) return
      this.#known.delete(name)
      for (const { metadata } of await this.#list(`${copyLabel}=${name}`, calls))
        await deletePart(metadata, calls)
    })
  }

  /** Deletes the copies of programs that no Module uses. */
  async sweep({ isUsed, ...calls }: CopyCalls & { isUsed(copy: string): boolean }): Promise<void> {
    const found = await this.#list(`${operatorLabel}=${this.#place.name}`, calls)
    for (const { metadata } of found) {
      const copy = metadata.labels?.[copyLabel] ?? ''
      if (!isPartOf(copy, metadata.name ?? '')) continue
      await this.#inTurn(copy, async () => {
        if (!isUsed(copy)) await deletePart(metadata, calls)
      })
    }
  }

  async #list(labelSelector: string, { client, signal }: CopyCalls): Promise<readonly ConfigMap[]> {
    const { namespace } = this.#place
    return (await client.listAll(configMaps, { namespace, labelSelector, signal })).items
  }

  async #inTurn(name: string, work: () => Promise<void>): Promise<void> {
    const before = this.#turns.get(name) ?? Promise.resolve()
    const mine = before.catch(() => {}).then(work)
    this.#turns.set(name, mine)
    try {
      await mine
    } finally {
      if (this.#turns.get(name) === mine) this.#turns.delete(name)
    }
  }
}

/** One name for each operator and digest, which no Module can choose. */
export function copyName(digest: string, { name }: Pick<CopiesNamespace, 'name'>): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([name, digest]))
    .digest('hex')
  return `module-program-${hash.slice(0, 40)}`
}

async function write(
  { content, digest }: LoadedProgram,
  { namespace, name: operator }: CopiesNamespace,
  { client, signal }: CopyCalls,
): Promise<void> {
  const packed = await pack(content)
  const parts = Math.ceil(packed.length / partBytes)
  const copy = copyName(digest, { name: operator })
  // The first part is the last one that is written: with it the copy is complete.
  for (let part = parts - 1; part >= 0; part--) {
    const bytes = packed.subarray(part * partBytes, (part + 1) * partBytes)
    const name = `${copy}-${part}`
    const body: ConfigMap = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        ...{ name, namespace, labels: { [copyLabel]: copy, [operatorLabel]: operator } },
        annotations: { [partsAnnotation]: String(parts) },
      },
      binaryData: { [key]: bytes.toString('base64') },
    }
    const place = { namespace, name }
    await client.patch(configMaps, place, {
      type: 'apply',
      fieldManager: 'modules',
      force: true,
      body,
      signal,
    })
  }
}

async function readCopy(
  digest: string,
  place: CopiesNamespace,
  { client, signal }: CopyCalls,
): Promise<LoadedProgram | undefined> {
  const copy = copyName(digest, place)
  const { namespace } = place
  const read = (part: number) => client.get(configMaps, { namespace, name: `${copy}-${part}` }, { signal })
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

/** Anybody can set labels: only a ConfigMap with the name of a part is one. */
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
