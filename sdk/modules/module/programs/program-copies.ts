/**
 * Copies of loaded programs in ConfigMaps, so that a Module can be uninstalled when the origin of its program is gone
 * and the files of this process are too. There is one copy for each digest, in the namespace of the operator: users of
 * Modules must not be able to write there, because a copy is executed although its origin may not be allowed any more.
 *
 * Replicas share the copies. A Module counts as a user before its replica looks for the copy. A replica that deletes a
 * copy first writes into its parts that they are unused, then reads the Modules from the API server, and then deletes
 * the parts that have not changed. So either it sees the Module, or the other replica sees the annotation and writes
 * the copy again.
 */
import groupBy from 'lodash/groupBy.js'
import type { ConfigMap } from '../../../engine/kube/builtin.js'
import type { LoadedProgram } from '../../program/load-program.js'
import {
  annotatePart,
  type CopiesNamespace,
  type CopyCalls,
  copyLabel,
  copyName,
  copyOf,
  deletePart,
  isCopyKept,
  listParts,
  operatorLabel,
  readCopy,
  writeCopy,
} from './program-copy.js'

/** Answers whether Modules use a copy. `copy` is the name of a copy. */
export interface CopyUsers {
  /** Whether a Module in the cache, which may be outdated, uses the copy. */
  isCached(copy: string): boolean
  /** Whether a Module on the API server uses the copy. */
  read(copy: string, signal: AbortSignal): Promise<boolean>
}

/** Options of operations that may delete copies. */
export interface CopyDeletion extends CopyCalls {
  readonly users: CopyUsers
}

/** Options of {@link ProgramCopies.keep}. */
export interface CopyKeeping extends CopyCalls {
  /**
   * Whether the Module has only now begun to use the program: another replica may have deleted the copy that this
   * process knows.
   */
  readonly isNewUser: boolean
  /** Loads the program if a copy must be written. */
  load(): Promise<LoadedProgram>
}

/** Writes, reads and deletes the copies of programs of one operator. The runs of Modules share it. */
export class ProgramCopies {
  readonly #copiesNamespace: CopiesNamespace
  /** The copies that this process has written or found. */
  readonly #knownCopies = new Set<string>()
  /** The last operation on each copy. Operations on one copy run one after the other. */
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(copiesNamespace: CopiesNamespace) {
    this.#copiesNamespace = copiesNamespace
  }

  /** Makes sure that there is a copy. The API server must already say that the Module uses the program. */
  keep(digest: string, { isNewUser, load, ...calls }: CopyKeeping): Promise<void> {
    const name = copyName(digest, this.#copiesNamespace)
    return this.#inTurn(name, async () => {
      if (this.#knownCopies.has(name) && !isNewUser) return
      if (!(await this.#exists(digest, calls))) await writeCopy(await load(), this.#copiesNamespace, calls)
      this.#knownCopies.add(name)
    })
  }

  /** Reads the program from its copy; undefined if there is no copy, or its content has another digest. */
  read(digest: string, calls: CopyCalls): Promise<LoadedProgram | undefined> {
    return readCopy(digest, this.#copiesNamespace, calls)
  }

  /** Deletes a copy unless a Module uses it. */
  async release(digest: string, deletion: CopyDeletion): Promise<void> {
    const name = copyName(digest, this.#copiesNamespace)
    await this.#deleteIfUnused(name, deletion, () =>
      listParts(`${copyLabel}=${name}`, this.#copiesNamespace, deletion),
    )
  }

  /** Deletes the copies of programs that no Module uses. */
  async sweep(deletion: CopyDeletion): Promise<void> {
    const allParts = await listParts(
      `${operatorLabel}=${this.#copiesNamespace.name}`,
      this.#copiesNamespace,
      deletion,
    )
    for (const [copy, parts] of Object.entries(groupBy(allParts, copyOf)))
      await this.#deleteIfUnused(copy, deletion, async () => parts)
  }

  /** Whether a copy exists. Each process compares the content of a copy once. */
  async #exists(digest: string, calls: CopyCalls): Promise<boolean> {
    const name = copyName(digest, this.#copiesNamespace)
    if (!(await isCopyKept(name, this.#copiesNamespace, calls))) return false
    return this.#knownCopies.has(name) || (await this.read(digest, calls)) !== undefined
  }

  /** Deletes the parts of a copy that `find` returns, unless a Module uses the copy. */
  #deleteIfUnused(
    copy: string,
    { users, ...calls }: CopyDeletion,
    find: () => Promise<readonly ConfigMap[]>,
  ): Promise<void> {
    return this.#inTurn(copy, async () => {
      if (users.isCached(copy)) return
      this.#knownCopies.delete(copy)
      const annotated = await annotateAll(await find(), { ...calls, isUnused: true })
      if (annotated.length === 0) return
      const isUsed = await users.read(copy, calls.signal)
      // The first part comes last: a replica that reads it trusts the copy, and no part may be deleted after that.
      if (isUsed) await annotateAll(annotated.toReversed(), { ...calls, isUnused: false })
      else for (const part of annotated) await deletePart(part, calls)
    })
  }

  /** Calls `work` after the earlier operations on the copy have ended. */
  async #inTurn(name: string, work: () => Promise<void>): Promise<void> {
    const lastTurn = this.#turns.get(name) ?? Promise.resolve()
    const ownTurn = lastTurn.catch(() => {}).then(work)
    this.#turns.set(name, ownTurn)
    try {
      await ownTurn
    } finally {
      if (this.#turns.get(name) === ownTurn) this.#turns.delete(name)
    }
  }
}

/** Marks parts as unused, or removes the mark. Returns the parts that exist. */
async function annotateAll(
  parts: readonly ConfigMap[],
  annotation: CopyCalls & { readonly isUnused: boolean },
): Promise<ConfigMap[]> {
  const annotated: ConfigMap[] = []
  for (const part of parts) {
    const annotatedPart = await annotatePart(part, annotation)
    if (annotatedPart) annotated.push(annotatedPart)
  }
  return annotated
}
